import { Hono } from 'hono';
import { fileAnswer } from '../../site/file-answer.ts';
import type { Site } from '../../site/site.ts';
import type { VerifyEnv } from '../verify-env.ts';

/** The subject's own files, to be looked at before they are handed in. To be mounted below `/verify/:id`, behind the session. */
export function fileRoutes({ options }: Site): Hono<VerifyEnv> {
  const { subject } = options.countersign;
  return new Hono<VerifyEnv>().get('/files/:fileId', async (context) =>
    fileAnswer(await subject.readFile(context.get('access'), context.req.param('fileId'))),
  );
}
