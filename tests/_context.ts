/** The context of a handler that a test calls without the service. */

import type { Context } from "../lib/http/router.ts";
import { Budget } from "../lib/load/budget.ts";
import { Deadlines } from "../lib/load/deadlines.ts";
import { Scheduler } from "../lib/load/scheduler.ts";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";

/** Makes a context with the default settings and a budget of so many bytes. */
export function createContext(
  request = new Request("http://localhost/"),
  budgetBytes = Infinity,
): Context {
  return {
    ...DEFAULT_SETTINGS,
    request,
    info: undefined,
    path: "/",
    query: "",
    budget: new Budget(budgetBytes),
    scheduler: new Scheduler(),
    deadlines: new Deadlines(),
    isStopping: () => false,
  };
}
