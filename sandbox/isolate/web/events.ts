// oxlint-disable import/no-unassigned-import -- the name is there before those that use it
import "./dom-exception.ts";
import { Event, EventTarget } from "event-target-shim";
import { AbortController, AbortSignal } from "./abort.ts";
import { install } from "./install.ts";

install({ Event, EventTarget, AbortController, AbortSignal });
