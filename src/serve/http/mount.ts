import type { Hono } from "hono";

/** Adds routes to the daemon's application, behind its guards. */
export type Mount = (app: Hono) => void;
