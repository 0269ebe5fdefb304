// What exists inside the isolate besides the language itself. The type gate reads this file; the
// project's own tsconfig leaves it out, since Node declares the same names.

interface Console {
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  trace(...values: unknown[]): void;
  dir(...values: unknown[]): void;
  table(...values: unknown[]): void;
  assert(holds?: unknown, ...values: unknown[]): void;
  time(label?: string): void;
  timeEnd(label?: string): void;
  group(...values: unknown[]): void;
  groupEnd(): void;
  count(label?: string): void;
}
declare const console: Console;

declare const performance: { now(): number };

declare function setTimeout(run: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id?: number | null): void;
declare function setInterval(run: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearInterval(id?: number | null): void;
declare function queueMicrotask(run: () => void): void;

declare function structuredClone<T>(value: T): T;
declare function atob(text: string): string;
declare function btoa(text: string): string;

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBufferView | ArrayBuffer, options?: { stream?: boolean }): string;
}

declare class URLSearchParams {
  constructor(
    init?:
      | string
      | readonly (readonly [string, string])[]
      | string[][]
      | Record<string, string>
      | URLSearchParams,
  );
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  toString(): string;
  forEach(run: (value: string, name: string, all: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
}
declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toJSON(): string;
  toString(): string;
}

interface EventInit {
  bubbles?: boolean;
  cancelable?: boolean;
  composed?: boolean;
}
declare class Event {
  constructor(type: string, init?: EventInit);
  readonly type: string;
  readonly target: EventTarget | null;
  readonly currentTarget: EventTarget | null;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly defaultPrevented: boolean;
  readonly timeStamp: number;
  preventDefault(): void;
  stopPropagation(): void;
}
type EventListener = ((event: Event) => void) | { handleEvent(event: Event): void };
interface EventListenerOptions {
  once?: boolean;
  capture?: boolean;
  passive?: boolean;
  signal?: AbortSignal;
}
declare class EventTarget {
  addEventListener(
    type: string,
    listener: EventListener | null,
    options?: EventListenerOptions | boolean,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListener | null,
    options?: EventListenerOptions | boolean,
  ): void;
  dispatchEvent(event: Event): boolean;
}
declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static timeout(ms: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((event: Event) => void) | null;
  throwIfAborted(): void;
}
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly code: number;
}
