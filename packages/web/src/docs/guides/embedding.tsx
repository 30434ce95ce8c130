import { RETURN_URL_MAX } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { Section } from '../../parts/page-parts.tsx';
import { figure, languageInWords, listInWords } from '../../site/formats.ts';
import { LANGUAGES } from '../../site/language.ts';
import type { Docs } from '../docs.ts';
import type { Guide } from '../guide.ts';
import { ToError, ToField, ToGuide, ToOperation } from '../links.tsx';
import { Inline, Sample, TextTable } from '../prose.tsx';

const PACKAGES = [
  ['@countersign/domain', 'The rules inside your program: `createCountersign`.'],
  ['@countersign/http', 'The JSON API in your server: `createApi` for Hono, `createApiListener` for node:http.'],
  ['@countersign/web', 'The pages and this documentation, with your own sign-in: `createWeb`.'],
  ['@countersign/memory', 'Tests without a database: `createMemoryStorage`.'],
  ['@countersign/client', 'Calls of the API from TypeScript: `createClient`.'],
] as const;

const Content: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <Section id="hosted" title="Send the subject to the hosted pages">
      <p>
        Your application creates a verification on its server and opens{' '}
        <ToField docs={docs} path="CreatedVerification.verificationUrl" /> in the browser of the subject. Never
        call the API from a browser: anyone could read the key there.
      </p>
      <Sample
        id="hosted.typescript"
        title="TypeScript"
        text={`const { verificationUrl } = await client.verifications.create(
  {
    subjectType: 'kyc',
    subjectReference: order.customerId,
    returnUrl: \`https://shop.example/kyc/done?order=\${order.id}\`,
    locale: 'de',
  },
  { idempotencyKey: \`order-\${order.id}\` },
);
response.redirect(303, verificationUrl);`}
      />
      <ul>
        <li>
          Open them in a tab of their own, on a phone in the system's browser. They refuse to load in a frame,
          where another page could overlay them.
        </li>
        <li>
          They work without JavaScript. With it, the subject can use the camera, and can move from a computer to a
          phone.
        </li>
        <li>
          They are available in{' '}
          {listInWords(
            LANGUAGES.map((language) => languageInWords(language, 'en')),
            'en',
          )}
          . They open in the language of <code>locale</code>, or else in that of the browser.
        </li>
      </ul>
    </Section>
    <Section id="return" title="The way back">
      <p>
        Send <ToField docs={docs} path="NewVerification.returnUrl" /> with the creation: an address of at most{' '}
        {figure(RETURN_URL_MAX, 'en')} characters. It must begin with one of the addresses that an owner of your
        team lists in the dashboard under <strong>Settings</strong>, <strong>Return addresses</strong>:{' '}
        <code>https://shop.example/kyc</code> permits <code>https://shop.example/kyc/done</code>, but not{' '}
        <code>https://shop.example/kyc-admin</code> or another host or port. Any other address is refused with{' '}
        <ToError docs={docs} code="INVALID_PARAMETERS" />.
      </p>
      <p>
        After the subject has submitted, and once the verification has ended, the page has a link to this address
        with <code>verificationId</code> and <code>status</code> in its query. Anyone can write such a query: read
        the verification with <ToOperation docs={docs} id="getVerification" /> before you rely on it.
      </p>
    </Section>
    <Section id="program" title="Run the service in your own program">
      <p>The service consists of packages for Node. You can use each of them without the server.</p>
      <TextTable
        label="Packages"
        head={['Package', 'Use it for']}
        rows={PACKAGES.map(([name, use]) => [<code>{name}</code>, <Inline text={use} />])}
      />
      <Sample
        id="program.typescript"
        title="TypeScript"
        text={`const apiDocument = () => openApiDocument({ serverUrl: \`\${publicBaseUrl}/api/v1\` });
const app = new Hono()
  .route('/api/v1', createApi(countersign, { clientAddress, newRequestId, onFault }))
  .route('/', createWeb({ countersign, signIn, secrets, clock, publicBaseUrl, clientAddress, onFault, apiDocument }));`}
      />
      <p>
        The repository explains each of them in <code>docs/embedding.md</code>. The{' '}
        <ToGuide docs={docs} to="life-of-a-verification">
          life of a verification
        </ToGuide>{' '}
        is the same everywhere.
      </p>
    </Section>
  </>
);

export const embedding: Guide = {
  slug: 'embedding',
  title: 'Embedding',
  summary: 'Send subjects to the hosted pages and back, or run the service in your own program.',
  Content,
};
