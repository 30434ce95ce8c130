import { answersOf } from './answers.ts';
import type { Verification } from './verification.ts';
import { isNamed, nameOf, peopleOf } from './warnings/named-people.ts';

/** Returns the name of the person or business that is verified; null while it is not answered, hidden or erased. */
export function subjectNameOf(verification: Pick<Verification, 'type' | 'steps'>): string | null {
  if (verification.type === 'kyb') return answersOf(verification, 'business')?.legalName ?? null;
  const person = peopleOf(verification).find(({ step }) => step === 'person');
  return person !== undefined && isNamed(person) ? nameOf(person) : null;
}
