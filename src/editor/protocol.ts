import type { Editor } from "../ports/editor.ts";

/** What the editor can be asked for, by the names of the port. */
export type EditorVerb = Extract<keyof Editor, string>;

/** What the child is sent: a verb with its arguments, without the signal. */
export type EditorRequest = {
  readonly id: number;
  readonly verb: EditorVerb;
  readonly args: readonly unknown[];
};

/** What the child answers; `rssBytes` lets its owner decide when to replace it. */
export type EditorReply = {
  readonly id: number;
  readonly value: unknown;
  readonly rssBytes: number;
};
