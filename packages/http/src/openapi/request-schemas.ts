import {
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  LIST_PAGE_MAX,
  type ListQuery,
  SORT_FIELDS,
  STATUSES,
  SUBJECT_TYPES,
} from '@countersign/domain';
import { z } from 'zod';

/** The query of a list, with a description and an example for each parameter. The domain checks the values. */
export const listQuerySchema: z.ZodObject<Record<keyof ListQuery, z.ZodType>> = z.strictObject({
  page: z.int().min(1).max(LIST_PAGE_MAX).default(1).meta({ description: 'Page number, from 1.', example: 1 }),
  limit: z
    .int()
    .min(1)
    .max(LIST_LIMIT_MAX)
    .default(LIST_LIMIT_DEFAULT)
    .meta({ description: 'Page size.', example: LIST_LIMIT_DEFAULT }),
  status: z.enum(STATUSES).meta({ description: 'Only verifications in this state.', example: 'pending' }),
  type: z.enum(SUBJECT_TYPES).meta({ description: 'Only individuals, or only businesses.', example: 'kyc' }),
  subjectReference: z
    .string()
    .min(1)
    .meta({ description: 'Only the subject with exactly this reference, case included.', example: 'user_1' }),
  sortBy: z.enum(SORT_FIELDS).default('requestedAt').meta({
    description:
      'What to sort by. Nulls come last in both directions; ties are broken by `id` in the same direction.',
    example: 'requestedAt',
  }),
  sortOrder: z
    .enum(['asc', 'desc'])
    .default('desc')
    .meta({ description: 'Ascending or descending.', example: 'desc' }),
});
