import type { ReviewedVerification } from '@countersign/domain';
import { beforeAll, expect, it } from 'vitest';
import { givenCases } from '../../test-support/cases.ts';
import { aPage, drawn } from '../../test-support/drawn.ts';
import { aView, changedCase } from '../../test-support/review-view.ts';
import { EarlierFiles, FileLink, Pictures } from './pictures.tsx';
import { shotsOf } from './shots.ts';

let person: ReviewedVerification;
let business: ReviewedVerification;

beforeAll(async () => {
  const { review, submitted } = await givenCases();
  person = await review.open(await submitted({ flags: ['blur', 'glare'] }));
  business = await review.open(await submitted({ type: 'kyb' }));
});

const picturesOf = (reviewed: ReviewedVerification) => drawn(<Pictures view={aView(reviewed)} />);
const earlierOf = (reviewed: ReviewedVerification) => drawn(<EarlierFiles view={aView(reviewed)} />).html;

/** All values of an attribute, in their order. */
const all = (html: string, pattern: RegExp): (string | undefined)[] =>
  [...html.matchAll(pattern)].map(([, value]) => value);

/** Returns the kinds of the files in addresses, each with the rest of its address. */
const filesIn = ({ verification }: ReviewedVerification, html: string, pattern: RegExp): string[] =>
  all(html, pattern).map((address = '') => {
    const [, id, part = ''] = /\/files\/([^/]+)(.*)$/.exec(address) ?? [];
    return `${verification.files.find((file) => file.id === id)?.kind}${part}`;
  });

const withFiles = (
  reviewed: ReviewedVerification,
  change: (file: ReviewedVerification['verification']['files'][number], index: number) => object | null,
) =>
  changedCase(reviewed, {
    files: reviewed.verification.files.flatMap((file, index) => {
      const more = change(file, index);
      return more === null ? [] : [{ ...file, ...more }];
    }),
  });

it('pictures are in a film strip in their order; the comparison of document and face follows', () => {
  const { html, words } = picturesOf(person);
  expect(all(html, /class="view [^"]*" id="([^"]+)"/g)).toEqual([
    'picture-1',
    'picture-2',
    'picture-3',
    'compared',
  ]);
  expect(all(html, /<a href="#([^"]+)" data-key="[^"]+" data-view/g)).toEqual([
    'picture-1',
    'picture-2',
    'picture-3',
    'compared',
  ]);
  expect(all(html, /data-key="([^"]+)"/g)).toEqual(['p', '1', '2', '3', 's']);
  expect(filesIn(person, html, /<img src="([^"]+)"/g)).toEqual([
    'document_front',
    'document_back',
    'selfie',
    'document_front',
    'selfie',
    'document_front/thumbnail',
    'document_back/thumbnail',
    'selfie/thumbnail',
  ]);
  // The first is loaded immediately, the others once they are in view.
  expect(all(html, /Open in a new tab"( loading="lazy")?/g)).toEqual([
    undefined,
    ...Array<string>(4).fill(' loading="lazy"'),
  ]);
  expect(html.match(/data-picture="true"/g)).toHaveLength(3);
  expect(all(html, /data-do="([^"]+)" title="([^"]+)"/g).slice(0, 6)).toEqual([
    'zoomIn',
    'zoomOut',
    'rotate',
    'brighten',
    'reset',
    'fill',
  ]);
  expect(words).toContain('Document, front Blurred? Glare? Zoom in');
  expect(html).toContain('aria-label="Adjust Document, front"');
  expect(html).not.toContain('drawing');
});

it.each([
  ['without a face', 'selfie'],
  ['without a document', 'document'],
])('pictures %s are not compared', (_, kind) => {
  const { html } = picturesOf(withFiles(person, (file) => (file.kind.startsWith(kind) ? null : {})));
  expect(html).toContain('picture-1');
  expect(html).not.toContain('compared');
});

it('a case without pictures has a drawing and a line instead of the film strip', () => {
  const { html, words } = picturesOf(withFiles(person, () => null));
  expect(words).toMatch(/^Pictures No picture of /);
  expect(html).not.toContain('class="film');
});

it('each drawn page of a PDF is a picture with the link to the original; one without drawn pages is the link alone', () => {
  const { html, words } = picturesOf(business);
  expect(words).toContain('Registration extract, page 2 of 2');
  const pages = ['registration_extract/pages/1', 'registration_extract/pages/2'];
  expect(filesIn(business, html, /<img src="([^"]+pages[^"]+)"/g)).toEqual(pages);
  expect(html).toContain('alt="Registration extract, page 2 of 2. Open in a new tab"');
  expect(html.match(/data-picture="true"/g)).toHaveLength(5);
  const flagged = picturesOf(
    withFiles(business, (file) => (file.pages === undefined ? {} : { warnings: ['blur'] })),
  );
  expect(flagged.words.match(/Blurred\?/g)).toHaveLength(2);
  expect(html.match(/ download=""/g)).toHaveLength(2);
  expect(html.match(/icons.svg#file-text/g)).toHaveLength(2);

  const undrawn = picturesOf(withFiles(business, (file) => (file.pages === undefined ? {} : { pages: 0 }))).html;
  expect(undrawn).toMatch(/<figure class="view picture" id="picture-4" tabindex="-1"><figcaption>/);
  expect(undrawn.match(/data-picture="true"/g)).toHaveLength(3);
  expect(undrawn).not.toContain('/pages/');
});

it('the tenth picture has no keyboard shortcut', () => {
  const { html } = picturesOf(withFiles(business, (file) => (file.pages === undefined ? {} : { pages: 7 })));
  expect(all(html, /<a href="#picture-\d+"( data-key="\d+")?/g).slice(-2)).toEqual([' data-key="9"', undefined]);
});

it('replaced and unused files are folded, with their pictures and pages', () => {
  expect(earlierOf(person)).toBe('');
  const unused = (reviewed: ReviewedVerification) => changedCase(reviewed, { steps: {}, drafts: {} });
  const pictures = earlierOf(unused(person));
  expect(pictures).toContain('<summary>Replaced and unused files (3)</summary>');
  expect(pictures.match(/class="file-thumbnail" src="[^"]+\/thumbnail"/g)).toHaveLength(3);
  expect(pictures).not.toContain('<figure');
  expect(picturesOf(unused(person)).html).not.toContain('<img');
  const extract = earlierOf(unused(business));
  expect(extract.match(/file-thumbnail/g)).toHaveLength(3);
  expect(filesIn(business, extract, /<img src="([^"]+pages[^"]+)"/g)).toEqual([
    'registration_extract/pages/1',
    'registration_extract/pages/2',
  ]);
  expect(all(extract, /<figcaption>([^<]+)</g)).toEqual([
    'Registration extract, page 1 of 2',
    'Registration extract, page 2 of 2',
  ]);
});

it('the link of a picture opens it, and the link of a PDF downloads it with a warning', () => {
  const link = (file: ReviewedVerification['verification']['files'][number] | undefined, hasFlags?: false) =>
    file === undefined
      ? ''
      : drawn(
          <FileLink file={file} verificationId="case" page={aPage()} {...(hasFlags === false && { hasFlags })} />,
        ).html;
  const [front] = person.verification.files;
  expect(link(front)).toMatch(
    /^<a href="[^"]+" target="_blank" rel="noopener">Document, front<\/a> <span class="quiet">68 bytes<\/span> <span class="badge/,
  );
  expect(link(front, false)).not.toContain('badge');
  const extract = business.verification.files.find(({ pages }) => pages !== undefined);
  expect(link(extract)).toMatch(
    /^<a href="[^"]+" download="">Registration extract: download the original<\/a> <span class="quiet">20 bytes\. \w/,
  );
});

it('pictures are in the order document, face, others; the face is beside the answers of the document', () => {
  const shots = (reviewed: ReviewedVerification) =>
    shotsOf(reviewed.verification).map(({ number, file, step, page }) => [number, file.kind, step, page]);
  const reversed = changedCase(business, { files: business.verification.files.toReversed() });
  for (const reviewed of [business, reversed])
    expect(shots(reviewed)).toEqual([
      [1, 'document_front', 'representative', undefined],
      [2, 'document_back', 'representative', undefined],
      [3, 'selfie', 'representative', undefined],
      [4, 'registration_extract', 'documents', 1],
      [5, 'registration_extract', 'documents', 2],
    ]);
});
