import {
  context,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
} from "@opentelemetry/api";
import { HoneError, messageOf } from "../../domain/errors.ts";

type SpanSettings = {
  readonly attributes?: Attributes;
  readonly kind?: SpanKind;
  /** What it is part of; else what is active. */
  readonly within?: Context;
};

/** Starts a span, to be ended by whoever asked for it. */
export function startSpan(
  name: string,
  { attributes = {}, kind, within = context.active() }: SpanSettings,
): Span {
  const options = { attributes, ...(kind === undefined ? {} : { kind }) };
  return trace.getTracer("hone").startSpan(name, options, within);
}

/** Does work within a span, which ends with it; what it throws is told and thrown on. */
export async function inSpan<T>(
  name: string,
  settings: SpanSettings,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const { within = context.active() } = settings;
  const span = startSpan(name, settings);
  try {
    return await context.with(trace.setSpan(within, span), async () => await work(span));
  } catch (error) {
    fail(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Says on a span that it failed, by the code of a HoneError. */
export function fail(span: Span, error: unknown): void {
  const type = error instanceof HoneError ? error.code : "bug";
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
}
