// oxlint-disable import/no-unassigned-import -- core-js defines by being imported
import "core-js-pure/modules/web.url.js";
import "core-js-pure/modules/web.url.can-parse.js";
import "core-js-pure/modules/web.url.parse.js";
import "core-js-pure/modules/web.url.to-json.js";
import "core-js-pure/modules/web.url-search-params.js";
import "core-js-pure/modules/web.url-search-params.delete.js";
import "core-js-pure/modules/web.url-search-params.has.js";
import "core-js-pure/modules/web.url-search-params.size.js";
import path from "core-js-pure/internals/path.js";
import { install } from "./install.ts";

install({ URL: path["URL"], URLSearchParams: path["URLSearchParams"] });
