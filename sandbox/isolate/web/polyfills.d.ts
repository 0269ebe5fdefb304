declare module "core-js-pure/internals/path.js" {
  /** Where the modules of core-js-pure leave what they define. */
  const path: Readonly<Record<string, unknown>>;
  export default path;
}

declare module "core-js-pure/modules/*";

/** The part of event-target-shim that is used here; its own types do not resolve under nodenext. */
declare module "event-target-shim" {
  export class Event {
    readonly type: string;
    constructor(type: string);
  }
  export class EventTarget {
    dispatchEvent(event: Event): boolean;
  }
  export function getEventAttributeValue(target: EventTarget, type: string): unknown;
  export function setEventAttributeValue(
    target: EventTarget,
    type: string,
    listener: unknown,
  ): void;
}
