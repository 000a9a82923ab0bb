/** A reporter of Node's test runner that says which files of `all.ts` have failed, one on a line. */
import type { TestEvent } from "node:test/reporters";

export default async function* failed(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.nesting === 0) {
      yield `${data.name}\n`;
    }
  }
}
