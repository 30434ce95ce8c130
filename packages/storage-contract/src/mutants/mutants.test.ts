import { createMemoryStorage } from '@countersign/memory';
import { ALL_SUITES } from '../all-suites.ts';
import { ALL_MUTANTS } from './all-mutants.ts';
import { proveSuites } from './prove-suites.ts';

proveSuites(ALL_SUITES, ALL_MUTANTS, createMemoryStorage);
