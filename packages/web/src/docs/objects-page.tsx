import type { FC } from 'hono/jsx';
import { Section } from '../parts/page-parts.tsx';
import type { Docs } from './docs.ts';
import { Component } from './operation-page.tsx';
import { OBJECTS } from './reference-paths.ts';

/** Documents the objects that no operation sends or receives as a whole. */
export const ObjectsPage: FC<{ docs: Docs }> = ({ docs }) => (
  <>
    <h1>Objects</h1>
    <p>Objects that are part of others.</p>
    {docs.components.others.map((name) => (
      <Section id={`object-${name}`} title={name}>
        <Component name={name} docs={docs} page={OBJECTS} />
      </Section>
    ))}
  </>
);
