import { Node, Project, type SourceFile } from "ts-morph";
import type { Language } from "../domain/skill.ts";

/** A range of UTF-16 offsets. */
export type Range = { readonly start: number; readonly end: number };

/** A top-level declaration, with and without the comments that belong to it. */
export type Declaration = { readonly bare: Range; readonly withComments: Range };

/** What a name stands for in a text, or why it stands for nothing that can be replaced. */
export type Located<T> =
  | { readonly status: "found"; readonly found: T }
  | { readonly status: "missing"; readonly reason: string };

let project: Project | null = null;

/** The declarations of one text. Offsets are those of the text, BOM included. */
export class Outline {
  readonly #file: SourceFile;
  readonly #offset: number;

  constructor(text: string, language: Language) {
    project ??= new Project({
      useInMemoryFileSystem: true,
      skipLoadingLibFiles: true,
      compilerOptions: { allowJs: true },
    });
    this.#offset = text.startsWith("\uFEFF") ? 1 : 0;
    this.#file = project.createSourceFile(`/outline.${language}`, text.slice(this.#offset), {
      overwrite: true,
    });
  }

  /** The top-level declaration of a name; overloads that stand together are one. */
  declaration(name: string): Located<Declaration> {
    const statements = this.#statementsOf(name);
    const [first] = statements;
    const last = statements.at(-1);
    if (first === undefined || last === undefined) return missing(`there is no ${name} to replace`);
    const shared = this.#sharedWith(first, name);
    if (shared !== "") return missing(`${name} is declared together with ${shared}`);
    if (last.getChildIndex() - first.getChildIndex() !== statements.length - 1) {
      return missing(`${name} is declared in several places`);
    }
    const end = last.getEnd() + this.#offset;
    const start = first.getStart() + this.#offset;
    return {
      status: "found",
      found: { bare: { start, end }, withComments: { start: this.#commentedStart(first), end } },
    };
  }

  /** What stands between the braces of a function, or the expression of an arrow. */
  body(name: string): Located<Range & { readonly isBlock: boolean }> {
    const bodies = this.#functionsOf(name).flatMap((node) => {
      const body = Node.isBodyable(node) || Node.isBodied(node) ? node.getBody() : undefined;
      return body === undefined ? [] : [body];
    });
    const [body] = bodies;
    if (body === undefined) return missing(`there is no function ${name} with a body`);
    if (bodies.length > 1) return missing(`${name} is declared in several places`);
    const isBlock = Node.isBlock(body);
    const inset = isBlock ? 1 : 0;
    const start = body.getStart() + this.#offset + inset;
    return {
      status: "found",
      found: { start, end: body.getEnd() + this.#offset - inset, isBlock },
    };
  }

  #statementsOf(name: string): readonly Node[] {
    return this.#file.getStatements().filter((statement) => namesOf(statement).includes(name));
  }

  #sharedWith(statement: Node, name: string): string {
    return namesOf(statement)
      .filter((other) => other !== name)
      .join(", ");
  }

  #functionsOf(name: string): readonly Node[] {
    const [owner = "", member] = name.split(".");
    if (member !== undefined) return this.#membersOf(owner, member);
    return this.#statementsOf(name).flatMap((statement): Node[] => {
      if (!Node.isVariableStatement(statement)) return [statement];
      const declaration = statement.getDeclarations().find((found) => found.getName() === name);
      const value = declaration?.getInitializer();
      return value === undefined ? [] : [unparenthesized(value)];
    });
  }

  #membersOf(owner: string, member: string): readonly Node[] {
    const found = this.#file.getClass(owner);
    return [...(found?.getInstanceMethods() ?? []), ...(found?.getStaticMethods() ?? [])].filter(
      (method) => method.getName() === member,
    );
  }

  /** Doc comments, and other comments with no blank line between them and the declaration. */
  #commentedStart(statement: Node): number {
    let start = statement.getStart();
    for (const comment of statement.getLeadingCommentRanges().toReversed()) {
      const between = this.#file.getFullText().slice(comment.getEnd(), start);
      const isDoc = comment.getText().startsWith("/**");
      if (!isDoc && /\n[^\S\n]*\r?\n/.test(between)) break;
      start = comment.getPos();
    }
    return start + this.#offset;
  }
}

function missing(reason: string): { readonly status: "missing"; readonly reason: string } {
  return { status: "missing", reason };
}

function unparenthesized(node: Node): Node {
  return Node.isParenthesizedExpression(node) ? unparenthesized(node.getExpression()) : node;
}

function namesOf(statement: Node): readonly string[] {
  if (Node.isVariableStatement(statement)) {
    return statement.getDeclarations().map((declaration) => declaration.getName());
  }
  const name =
    Node.isFunctionDeclaration(statement) ||
    Node.isClassDeclaration(statement) ||
    Node.isInterfaceDeclaration(statement) ||
    Node.isTypeAliasDeclaration(statement) ||
    Node.isEnumDeclaration(statement)
      ? statement.getName()
      : undefined;
  return name === undefined ? [] : [name];
}
