/**
 * Several test files in one process, so that they share a VS Code where they can.
 *
 * `run` names them in $TEST_FILES. Each is a `describe` of its own, with its hooks.
 */
import { describe } from "node:test";
// Here, so that VS Code ends after all of them and not after the first.
import "./workbench.ts";

for (const file of (process.env["TEST_FILES"] ?? "").split(" ")) {
  describe(file, async () => {
    await import(`./${file}`);
  });
}
