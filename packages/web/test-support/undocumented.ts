import {
  type ApiDocument,
  type ApiOperation,
  allErrors,
  errorsOf,
  type JsonSchema,
  nameIn,
  operationsOf,
} from '../src/docs/api-document.ts';
import { descriptionOf, fieldsBelow, valuesOf } from '../src/docs/schema-words.ts';
import type { PageDocument, PageElement } from './page-document.ts';

interface Pages {
  /** The pages of the reference by the last part of their address, without the list of them. */
  readonly reference: ReadonlyMap<string, PageDocument>;
  readonly errors: PageDocument;
}

/** Something of the document: what it is called, where a page shows it, and the words that are expected there. */
interface Expected {
  readonly name: string;
  readonly place: PageElement | null | undefined;
  readonly texts: readonly (string | undefined)[];
}

/** Lists what the document describes and the pages do not show. */
export function undocumented(document: ApiDocument, pages: Pages): readonly string[] {
  const expected = [
    ...operationsOf(document).flatMap((operation) =>
      ofOperation(operation, pages.reference.get(operation.operationId)),
    ),
    ...ofObjects(document, [...pages.reference.values()]),
    ...ofWebhooks(document, pages.reference.get('webhooks')),
    ...ofErrors(document, pages.errors),
  ];
  return expected.filter((entry) => !isShown(entry)).map(({ name }) => name);
}

function isShown({ place, texts }: Expected): boolean {
  const words = plain(place?.textContent ?? '');
  const paragraphs = texts.flatMap((text) => text?.split(/\n{2,}/) ?? []);
  return (
    place !== null &&
    place !== undefined &&
    paragraphs.every((paragraph) => words.includes(plain(paragraph.replaceAll('`', ''))))
  );
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function sectionOf(page: PageDocument | undefined, id: string): PageElement | null | undefined {
  return page?.querySelector(`section[aria-labelledby="${id}"]`);
}

function ofOperation(operation: ApiOperation, page: PageDocument | undefined): readonly Expected[] {
  const { operationId: id, method, path, summary, description, parameters = [], requestBody } = operation;
  const section = sectionOf(page, id);
  const errors = [...errorsOf(operation).values()].flat();
  const head = [`${method} ${path}`, summary.replace(/\.$/, ''), description, requestBody?.description];
  return [
    { name: id, place: section, texts: head },
    ...parameters.map((parameter) => ({
      name: `${id}.${parameter.name}`,
      place: page?.getElementById(`${id}.${parameter.name}`),
      texts: [parameter.name, parameter.description, ...valuesOf(parameter.schema).map(String)],
    })),
    ...Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, response]) => ({
        name: `${id} ${status}`,
        place: section,
        texts: [`Response ${status}`, response.description],
      })),
    ...errors.map(({ code, status }) => ({
      name: `${id} ${status} ${code}`,
      place: section?.querySelector(`.error-list a[href$="/docs/guides/errors#${code}"]`),
      texts: [code],
    })),
  ];
}

function ofObjects({ components }: ApiDocument, pages: readonly PageDocument[]): readonly Expected[] {
  const find = (id: string) => pages.map((page) => page.getElementById(id)).find((element) => element !== null);
  const objects = Object.entries(components.schemas).flatMap(([name, schema]) => [
    { name, place: find(name), texts: [schema.description] },
    ...fieldsOf(schema, name).map(([path, field]) => ({
      name: path,
      place: find(path),
      texts: [path.split('.').at(-1), descriptionOf(field), ...valuesOf(field).map(String)],
    })),
  ]);
  const headers = Object.entries(components.headers).map(([name, { description }]) => ({
    name,
    place: pages.map((page) => page.querySelector('main')).find((main) => main?.textContent?.includes(name)),
    texts: [name, description],
  }));
  return [...objects, ...headers];
}

/** Lists the fields of an object and of their values: `data.state`. */
function fieldsOf(schema: JsonSchema, path: string): readonly (readonly [path: string, schema: JsonSchema])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const below = fieldsBelow(value);
    const own = `${path}.${name}`;
    return [[own, value] as const, ...(below === undefined ? [] : fieldsOf(below, own))];
  });
}

function ofWebhooks({ webhooks = {} }: ApiDocument, page: PageDocument | undefined): readonly Expected[] {
  return Object.entries(webhooks).flatMap(([type, { post }]) => {
    const body = nameIn(post.requestBody?.content['application/json'].schema ?? {}) ?? '';
    const responses = Object.entries(post.responses).flatMap(([status, { description }]) => [status, description]);
    return [
      { name: type, place: page?.getElementById(type), texts: [type, post.summary] },
      { name: `${type} responses`, place: sectionOf(page, `object-${body}`), texts: responses },
    ];
  });
}

function ofErrors(document: ApiDocument, page: PageDocument): readonly Expected[] {
  return [...allErrors(document).values()].map(({ status, code, meaning, value }) => ({
    name: `${status} ${code}`,
    place: page.getElementById(code),
    texts: [`${status} ${code}`, meaning, value.error],
  }));
}
