import { install } from "./install.ts";

/** The names that have a legacy code, at the place of the code (Web IDL, DOMException names). */
const CODED = [
  ..."_ IndexSizeError _ HierarchyRequestError WrongDocumentError InvalidCharacterError _".split(
    " ",
  ),
  ..."NoModificationAllowedError NotFoundError NotSupportedError InUseAttributeError".split(" "),
  ..."InvalidStateError SyntaxError InvalidModificationError NamespaceError".split(" "),
  ..."InvalidAccessError _ TypeMismatchError SecurityError NetworkError AbortError".split(" "),
  ..."URLMismatchError QuotaExceededError TimeoutError InvalidNodeTypeError DataCloneError".split(
    " ",
  ),
];

/** The web's error: an Error whose name is given to it. */
class DOMException extends Error {
  readonly #name: string;

  constructor(message: unknown = "", name: unknown = "Error") {
    super(String(message));
    this.#name = String(name);
  }

  override get name(): string {
    return this.#name;
  }

  get code(): number {
    return Math.max(0, CODED.indexOf(this.#name));
  }

  get [Symbol.toStringTag](): string {
    return "DOMException";
  }
}

if (!("DOMException" in globalThis)) install({ DOMException });
