import { expect, test } from 'vitest';
import { endingCall, footer, pageCall, support, theme } from '../../bin/content/open-fields.ts';
import { objectErrors, shapeErrors } from '../support/content-shapes.ts';

test.each(Object.entries({ endingCall, support, theme }))(
  'the declarations of fields have no error: %s',
  (name, shape) => {
    expect(objectErrors(shape, name)).toEqual([]);
  },
);

test.each(Object.entries({ footer, pageCall }))('the declarations of fields have no error: %s', (name, shape) => {
  expect(shapeErrors(shape, name)).toEqual([]);
});
