import type { Answer } from '../responses.ts';
import type { PublicRoute } from '../routes.ts';
import { openApiDocument } from './document.ts';

/** `GET /openapi.json`. The text is made once for each place at which the API is mounted, as a rule one. */
export function createDocumentRoute(serverUrl: string | undefined): PublicRoute {
  let made: { serverUrl: string; answer: Answer } | undefined;

  return {
    access: 'public',
    template: '/openapi.json',
    operations: {
      GET: ({ mount }) => {
        const url = serverUrl ?? (mount || '/');
        if (made?.serverUrl !== url) {
          made = {
            serverUrl: url,
            answer: { status: 200, body: JSON.stringify(openApiDocument({ serverUrl: url })) },
          };
        }
        return made.answer;
      },
    },
  };
}
