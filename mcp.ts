/** The operations as tools of a local agent, over standard input and output. */

import { serveStdio } from "./routes/stdio.ts";

await serveStdio();
