import { expect, test } from 'vitest';
import { isUuid, uuid } from '../../../lib/domain/values/uuid.ts';

const ofNoVersion = '11111111-1111-1111-1111-111111111111';

test.each([
  ['a random one', '8a6e0804-2bd0-4672-b79d-d97027f9071a', true],
  ['one of no version that RFC 9562 knows', ofNoVersion, true],
  ['capitals', '8A6E0804-2BD0-4672-B79D-D97027F9071A', false],
  ['text around it', ` ${ofNoVersion}`, false],
  ['a line after it', `${ofNoVersion}\n`, false],
  ['no hyphens', ofNoVersion.replaceAll('-', ''), false],
])('%s', (_, text, expected) => {
  expect(isUuid(text)).toBe(expected);
});

test('an id may be sent in capitals, and is kept without', () => {
  expect(uuid().parse('8A6E0804-2BD0-4672-B79D-D97027F9071A')).toBe('8a6e0804-2bd0-4672-b79d-d97027f9071a');
  expect(
    uuid()
      .safeParse('8a6e')
      .error?.issues.map(({ message }) => message),
  ).toEqual(['must be a UUID']);
  expect(uuid().safeParse(1).error?.issues[0]?.message).toBe('must be a UUID');
  expect(uuid('is required').safeParse('8a6e').error?.issues[0]?.message).toBe('must be a UUID');
  expect(uuid('is required').safeParse(undefined).error?.issues[0]?.message).toBe('is required');
});
