/** Flows: the steps of verifications, their fields, pages and answers. */

export {
  type AddressFormat,
  type AddressPart,
  addressCountryIn,
  addressFormatOf,
} from '../fields/address-format.ts';
export { ALL_ASKED, type FlowAsks, mayBeAbsent } from '../fields/conditions.ts';
export { COUNTRIES } from '../fields/countries.ts';
export type { EarlierStep } from '../fields/earlier-step.ts';
export type {
  Absence,
  Field,
  FieldList,
  Fields,
  Partly,
  Path,
  Purpose,
  TextCheck,
  When,
} from '../fields/field.ts';
export { minutesFor } from '../fields/page-time.ts';
export { isDrafted, type Page, pageOfPath, pagesFor } from '../fields/pages.ts';
export { isWithin, valueAt, withValueAt } from '../fields/paths.ts';
export {
  type Place,
  type PlacedField,
  placedFields,
  placesOf,
  type Row,
  rowsOf,
  textKeysOf,
} from '../fields/placed-fields.ts';
export { answersSchemaOf, EMAIL_MAX, schemaOf } from '../fields/schema.ts';
export { defineStep, type Step, type StepContext, type StepDefinition } from '../fields/step.ts';
export type { ScreenAnswers } from '../verification/answer-screen.ts';
export type { StepAnswers } from '../verification/answers.ts';
export { answersSoFar } from '../verification/answers-so-far.ts';
export type { AnsweredStep } from '../verification/complete-steps.ts';
export { isPageAnswered } from '../verification/emptied-pages.ts';
export { fieldsToRedo } from '../verification/fields-to-redo.ts';
export {
  BUILT_IN_FLOWS,
  currentFlow,
  type Flow,
  type Flows,
  flowVersions,
  type Screen,
  type ScreenPart,
  STEP_KEYS,
  type StepKey,
  stepOf,
  stepsOf,
} from '../verification/flow.ts';
export { currentStepOf, isStepCompleted, openStepsOf } from '../verification/progress.ts';
export { isAskedByField, itemsOf } from '../verification/redo.ts';
export type { DraftPart } from '../verification/save-draft.ts';
export {
  askedScreens,
  openScreensOf,
  type PlannedPart,
  type PlannedScreen,
  plannedScreens,
} from '../verification/screen-plan.ts';
export { screenOfPage, screensOf } from '../verification/screens.ts';
export type { BusinessConsent, Consent } from '../verification/steps/consent.ts';
export {
  type Business,
  type BusinessAddresses,
  type BusinessDocuments,
  LEI_LENGTH,
  type Representative,
} from '../verification/steps/kyb.ts';
export type { Person, PersonAddress } from '../verification/steps/kyc.ts';
export {
  type BeneficialOwner,
  type CompanyPerson,
  OWNER_SHARE_PERCENT,
  type Ownership,
  WHOLE_PERCENT,
} from '../verification/steps/ownership.ts';
export type { Address, IdentityDocument } from '../verification/steps/shared-fields.ts';
