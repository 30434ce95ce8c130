import { expect, it } from 'vitest';
import { createFormValues } from '../../forms/form-values.ts';
import { colourIn } from './colour-field.tsx';

const STANDARD = '#123456';

it.each([
  ['nothing was changed', { colour: '#ffd400', colourDrawn: '#ffd400', colourPicked: '#ffd400' }, '#ffd400'],
  ['the text was changed', { colour: '#00ff00', colourDrawn: '#ffd400', colourPicked: '#ffd400' }, '#00ff00'],
  ['the picker was changed', { colour: '#ffd400', colourDrawn: '#ffd400', colourPicked: '#0000ff' }, '#0000ff'],
  ['both were changed', { colour: '#00ff00', colourDrawn: '#ffd400', colourPicked: '#0000ff' }, '#00ff00'],
  ['the text was emptied', { colour: '', colourDrawn: '#ffd400', colourPicked: '#ffd400' }, ''],
  [
    'the text was emptied, the picker changed',
    { colour: '', colourDrawn: '#ffd400', colourPicked: '#0000ff' },
    '',
  ],
  ['there was no colour', { colour: '', colourDrawn: '', colourPicked: STANDARD }, ''],
  ['a first colour was picked', { colour: '', colourDrawn: '', colourPicked: '#0000ff' }, '#0000ff'],
  ['a text without # was kept', { colour: 'FFD400', colourDrawn: 'FFD400', colourPicked: '#ffd400' }, 'FFD400'],
  ['a refused text was kept', { colour: 'red', colourDrawn: 'red', colourPicked: STANDARD }, 'red'],
  [
    'a colour was picked after a refused text',
    { colour: 'red', colourDrawn: 'red', colourPicked: '#0000ff' },
    '#0000ff',
  ],
  ['the picker is bad', { colour: '', colourDrawn: '', colourPicked: 'red' }, 'red'],
  ['the browser has no picker', { colour: '#ffd400', colourDrawn: '#ffd400' }, '#ffd400'],
  ['a program sent the text alone', { colour: '#ffd400' }, '#ffd400'],
  ['a program sent no text', { colourPicked: '#0000ff' }, ''],
])('%s', (_, sent, colour) => {
  expect(colourIn(createFormValues(Object.entries(sent)), STANDARD)).toBe(colour);
});
