import type { HoneEvent } from "../../src/ports/store.ts";
import { signedOut } from "./ask.ts";

/**
 * Server-sent events over fetch: EventSource would want to know every kind beforehand, and does not
 * say why it was refused. Ends when the stream does; rejects when it is refused or breaks off.
 */
export async function* readEvents(url: string, onOpen: () => void): AsyncGenerator<HoneEvent> {
  const response = await fetch(url, { headers: { accept: "text/event-stream" } });
  if (response.status === 401) throw signedOut();
  if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (rest + value).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) yield* eventsIn(frame);
  }
}

/** Comments, which keep the connection alive, hold none. */
function eventsIn(frame: string): readonly HoneEvent[] {
  const data = frame
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
    .join("\n");
  return data === "" ? [] : [JSON.parse(data) as HoneEvent];
}
