/** A server on all cores whose workers cannot listen. */

import { Cluster } from "../../lib/process/cluster.ts";
import { DEFAULT_SETTINGS } from "../../lib/process/settings.ts";

Object.defineProperty(navigator, "hardwareConcurrency", { value: 2 });

new Cluster().listen(
  () => () => new Response(),
  { ...DEFAULT_SETTINGS, host: "127.0.0.1", port: 0 },
  import.meta.resolve("./_deaf_worker.ts"),
);
