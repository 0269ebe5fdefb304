import { TextDecoder, TextEncoder } from "@exodus/bytes/encoding-lite.js";
import { install } from "./install.ts";

install({ TextDecoder, TextEncoder });
