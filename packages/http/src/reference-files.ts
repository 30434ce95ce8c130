import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A file of the reference page. */
export interface PageFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** The files of Swagger UI that the page uses, out of forty, with their content types. */
const SWAGGER_UI: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': JAVASCRIPT,
  'favicon-32x32.png': 'image/png',
};

/** They change with a new version of the package, that is with a new version of the service. */
const FOR_A_DAY = 'public, max-age=86400';

export function swaggerUiFiles(): [name: string, file: PageFile][] {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return Object.entries(SWAGGER_UI).map(([name, contentType]) => {
    return [name, { contentType, cacheControl: FOR_A_DAY, content: readFileSync(join(folder, name)) }];
  });
}

/** Starts Swagger UI. A file of its own, because the page may hold no script. */
export function referenceScript(documentUrl: string): [name: string, file: PageFile] {
  const settings = {
    url: documentUrl,
    dom_id: '#reference',
    deepLinking: true,
    // Or else it would ask validator.swagger.io.
    validatorUrl: null,
  };
  const content = `SwaggerUIBundle(${JSON.stringify(settings)});\n`;
  return ['reference.js', { contentType: JAVASCRIPT, cacheControl: 'no-cache', content }];
}
