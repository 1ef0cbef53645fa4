import { assertMatch } from "@std/assert";
import { testOnTerminal } from "../terminal/_terminal.ts";

testOnTerminal(
  "hash shows its progress on a terminal after a second, and clears it",
  async (runOnTerminal) => {
    const zeros = "head --bytes=2000000 /dev/zero";
    const [line] = await runOnTerminal(
      `{ ${zeros}; sleep 1.2; ${zeros}; } | devutils hash sha1`,
    );
    const digest = "cfe78845826845c0f76837eafdd964b8dc2ab337";
    assertMatch(
      line!.replaceAll("\r\x1b[K", "<clear>"),
      RegExp(`^(?:<clear>hashed \\d MB)+<clear>${digest}$`),
    );
  },
);
