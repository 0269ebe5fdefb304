// oxlint-disable import/no-unassigned-import -- core-js defines by being imported
import "./dom-exception.ts";
import "core-js-pure/modules/web.structured-clone.js";
import path from "core-js-pure/internals/path.js";
import { install } from "./install.ts";

install({ structuredClone: path["structuredClone"] });
