import * as tables from '@countersign/tables';
import { rowsOf } from './dialect.ts';

export const mailRows = rowsOf(tables.mails);
export const mailBudgetRows = rowsOf(tables.mailBudgets);
