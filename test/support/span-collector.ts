import { AsyncLocalStorage } from "node:async_hooks";
import {
  context,
  propagation,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type SpanOptions,
  type TextMapPropagator,
} from "@opentelemetry/api";

export type Collected = {
  name: string;
  readonly id: string;
  readonly traceId: string;
  readonly parent: string | null;
  readonly attributes: Attributes;
  status: number;
  ended: number;
};

/** The least that an OpenTelemetry SDK is: it registers itself and keeps what it is told. */
export class SpanCollector implements Disposable {
  readonly spans: Collected[] = [];

  constructor() {
    context.setGlobalContextManager(new AlsContextManager());
    propagation.setGlobalPropagator(W3C);
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan: (name, options, within) => this.#start(name, options, within),
        startActiveSpan: () => {
          throw new Error("hone starts its spans one by one");
        },
      }),
    });
  }

  #start(name: string, { attributes = {} }: SpanOptions = {}, within = context.active()): Span {
    const parent = trace.getSpanContext(within);
    const id = (this.spans.length + 1).toString(16).padStart(16, "0");
    const traceId = parent?.traceId ?? id.repeat(2);
    const kept: Collected = {
      name,
      id,
      traceId,
      parent: parent?.spanId ?? null,
      attributes: { ...attributes },
      status: 0,
      ended: 0,
    };
    this.spans.push(kept);
    return spanOn(kept);
  }

  [Symbol.dispose](): void {
    trace.disable();
    context.disable();
    propagation.disable();
    // What is left of a registration is what hone looks for.
    Reflect.deleteProperty(globalThis, Symbol.for("opentelemetry.js.api.1"));
  }
}

function spanOn(kept: Collected): Span {
  const span: Span = {
    spanContext: () => ({
      traceId: kept.traceId,
      spanId: kept.id,
      traceFlags: TraceFlags.SAMPLED,
    }),
    setAttribute: (key, value) => {
      if (value !== undefined) kept.attributes[key] = value;
      return span;
    },
    setAttributes: (attributes) => {
      Object.assign(kept.attributes, attributes);
      return span;
    },
    setStatus: ({ code }) => {
      kept.status = code;
      return span;
    },
    updateName: (name) => {
      kept.name = name;
      return span;
    },
    end: () => {
      kept.ended += 1;
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    isRecording: () => kept.ended === 0,
    recordException: () => undefined,
  };
  return span;
}

class AlsContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    of: Context,
    call: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.#storage.run(of, () => call.apply(self, args));
  }

  bind<T>(_of: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    return this;
  }
}

/** `traceparent` as the W3C has it, to be read. */
const W3C: TextMapPropagator = {
  fields: () => ["traceparent"],
  inject: () => undefined,
  extract(into, carrier, getter) {
    const value = String(getter.get(carrier, "traceparent"));
    const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(value) ?? [];
    if (traceId === undefined || spanId === undefined) return into;
    const remote = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
    return trace.setSpanContext(into, remote);
  },
};
