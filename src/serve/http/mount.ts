import type { Hono } from "hono";

/** Adds routes to the daemon's app; called after the guards of its door. */
export type Mount = (app: Hono) => void;
