import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  flagFields,
  knownFields,
  metaFields,
  normalizedPhone,
  textFields,
} from '../../../lib/domain/contacts/contact.ts';
import {
  type ContactChange,
  contactRecord,
  givenUniqueId,
  InvalidContact,
  identityErrors,
  identityOf,
  namesJourney,
  parsedContact,
} from '../../../lib/domain/contacts/contact-record.ts';
import { fieldKinds } from '../../../lib/domain/values/fields.ts';
import { parseJson } from '../../../lib/domain/values/json.ts';
import { anyCharacter } from '../../support/any-character.ts';

const upsert = parsedContact(identityErrors);
const change = (record: object): ContactChange => {
  const judged = upsert.parse({ unique_id: 'u', ...record });
  if (judged instanceof InvalidContact) throw new Error(JSON.stringify(judged.errors));
  return judged;
};
const paths = (record: unknown): string[] => {
  const judged = upsert.parse(record);
  return judged instanceof InvalidContact ? judged.errors.map(({ path }) => path) : [];
};
const errors = (record: unknown): string[] => {
  const judged = upsert.parse(record);
  return judged instanceof InvalidContact ? judged.errors.map(({ path, message }) => `${path} ${message}`) : [];
};

describe('a record', () => {
  test('knows every field that a contact has', () => {
    const readOnly = ['id', 'inserted_at', 'updated_at', 'journey.template_id'];
    expect(Object.keys(contactRecord.shape).sort()).toEqual(
      [...knownFields].filter((name) => !readOnly.includes(name)).sort(),
    );
  });

  test('says what is set, what is cleared, and nothing of what was not sent', () => {
    expect(change({ name_first: 'Ann', city: null, email_verified: true }).fields).toEqual({
      name_first: 'Ann',
      city: null,
      email_verified: true,
    });
  });

  test.each(textFields.filter((field) => field !== 'birthdate' && !field.startsWith('phone')))(
    '%s is a string of at most 1,024 characters',
    (field) => {
      expect(change({ [field]: 'x'.repeat(1024) }).fields[field]).toHaveLength(1024);
      for (const value of ['x'.repeat(1025), 5, true, [], {}, '\ud800']) {
        expect(paths({ unique_id: 'u', [field]: value })).toEqual([`/${field}`]);
      }
    },
  );

  test.each(flagFields)('%s is a boolean', (field) => {
    expect(change({ [field]: false }).fields[field]).toBe(false);
    for (const value of ['true', 0, 1, [], {}])
      expect(paths({ unique_id: 'u', [field]: value })).toEqual([`/${field}`]);
  });

  test.each(['phone_home', 'phone_mobile', 'phone_work'] as const)('%s is normalised', (field) => {
    const kind = fieldKinds.get(contactRecord.shape[field].unwrap().unwrap());
    expect(kind).toEqual({ kind: 'text' });
    for (const [sent, stored] of [
      ['(555) 123-4567', '15551234567'],
      ['+555 123 4567', '5551234567'],
      ['00 555 123 4567', '5551234567'],
      ['+123456789012345', '123456789012345'],
    ] as const) {
      expect(change({ [field]: sent }).fields[field]).toBe(stored);
    }
    expect(change({ [field]: '' }).fields[field]).toBeNull();
    expect(change({ [field]: null }).fields[field]).toBeNull();
    for (const value of ['call me', 5551234567, '5'.repeat(16), '5'.repeat(1025)]) {
      expect(paths({ unique_id: 'u', [field]: value })).toEqual([`/${field}`]);
    }
  });

  test('birthdate is a day that exists', () => {
    expect(change({ birthdate: '2024-02-29' }).fields.birthdate).toBe('2024-02-29');
    for (const value of ['2023-02-29', '29.02.2024', '', 20240229]) {
      expect(paths({ unique_id: 'u', birthdate: value })).toEqual(['/birthdate']);
    }
  });

  test.each(metaFields)('%s is an object', (field) => {
    expect(change({ [field]: null }).meta[field]).toBeNull();
    expect(change({}).meta[field]).toBeUndefined();
    for (const value of ['x', 5, []]) expect(paths({ unique_id: 'u', [field]: value })).toEqual([`/${field}`]);
  });

  test('journey names a template, or nothing', () => {
    expect(change({ journey: { template_id: 't', name: 'x' } }).templateId).toBe('t');
    for (const journey of [null, {}, { template_id: null }]) expect(change({ journey }).templateId).toBeUndefined();
    expect(paths({ unique_id: 'u', journey: 't' })).toEqual(['/journey']);
    expect(paths({ unique_id: 'u', journey: { template_id: 5 } })).toEqual(['/journey/template_id']);
  });

  test('journey.template_id is the same as one dotted key, and not both', () => {
    const dotted = change({ 'journey.template_id': 't' });
    expect([dotted.templateId, dotted.templatePath, dotted.unknown]).toEqual(['t', '/journey.template_id', {}]);
    expect(change({ 'journey.template_id': null }).templateId).toBeUndefined();
    expect(paths({ unique_id: 'u', 'journey.template_id': 5 })).toEqual(['/journey.template_id']);
    for (const journey of [null, {}, { template_id: 't' }]) {
      expect(paths({ unique_id: 'u', journey, 'journey.template_id': 't' })).toEqual(['/journey.template_id']);
    }
    expect(paths({ name_first: 1, journey: 1, 'journey.template_id': 't' }).sort()).toEqual([
      '/journey',
      '/journey.template_id',
      '/name_first',
      '/unique_id',
    ]);
  });

  test.each(['', ' ', '\t\n', null])('an email that is %j beside a unique_id clears the email', (email) => {
    expect(change({ email }).fields).toEqual({ email: null });
  });

  test('keeps unknown fields for the objectives, and ignores read-only ones of any type', () => {
    expect(change({ id: 5, inserted_at: [], updated_at: {}, opened_app: 'yes' }).unknown).toEqual({
      opened_app: 'yes',
    });
  });

  test('a field called __proto__ changes nothing', () => {
    const judged = upsert.parse(parseJson('{"unique_id":"u","__proto__":{"name_first":"x"},"constructor":{"a":1}}'));
    expect(judged).toMatchObject({ uniqueId: 'u', unknown: { constructor: { a: 1 } } });
    expect(judged).toHaveProperty('fields', {});
  });

  test('is a change or has errors, whatever it is made of', () => {
    const field = fc.constantFrom(...Object.keys(contactRecord.shape), 'contacts', 'id', '__proto__', 'x');
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: anyCharacter }));
    fc.assert(
      fc.property(fc.dictionary(field, value), (fields) => {
        const judged = upsert.parse(fields);
        if (judged instanceof InvalidContact) expect(judged.errors.length).toBeGreaterThan(0);
        else expect(identityOf(judged)).toBeTypeOf('string');
      }),
    );
  });

  test('names all its errors', () => {
    expect(
      paths({ name_first: 5, phone_home: 'abc', birthdate: 'x', meta_public: [], email_verified: 1 }).sort(),
    ).toEqual(['/birthdate', '/email_verified', '/meta_public', '/name_first', '/phone_home', '/unique_id']);
  });

  test.each<[unknown, string]>([
    [undefined, ' is required'],
    [5, ' must be an object'],
    [{}, '/unique_id unique_id or email is required'],
    [
      { unique_id: 'u', phone_work: 'x1' },
      '/phone_work must be one phone number: at most 15 digits, with punctuation, without letters',
    ],
    [{ unique_id: 'u', journey: 't' }, '/journey must be an object'],
    [{ unique_id: 'u', journey: { template_id: 5 } }, '/journey/template_id must be a string'],
    [{ unique_id: 'u', 'journey.template_id': 5 }, '/journey.template_id must be a string'],
    [
      { unique_id: 'u', journey: null, 'journey.template_id': 't' },
      '/journey.template_id cannot be sent together with journey',
    ],
    [
      { email: 'a\ufffd' },
      '/email must not contain U+FFFD or control characters from U+0080 to U+009F, the traces of a wrong encoding, when it is used as unique_id',
    ],
    [{ email: 'é'.repeat(513) }, '/email must be at most 1024 bytes of UTF-8 when it is used as unique_id'],
  ])('%.40j has the error "%s"', (record, expected) => {
    expect(errors(record)).toEqual([expected]);
  });

  test.each([
    [{ unique_id: 'u', journey: { template_id: 't' } }, 'u', 't', '/journey/template_id'],
    [{ unique_id: ' ', 'journey.template_id': 't' }, undefined, 't', '/journey.template_id'],
    [{ unique_id: 7, journey: { template_id: 7 } }, undefined, undefined, '/journey/template_id'],
    [{ unique_id: 'u', journey: 7 }, 'u', undefined, '/journey/template_id'],
    [5, undefined, undefined, '/journey/template_id'],
  ])('with errors still says what it refers to: %j', (record, uniqueId, templateId, templatePath) => {
    const judged = upsert.parse(typeof record === 'object' ? { name_first: 5, ...record } : record);
    expect(judged).toBeInstanceOf(InvalidContact);
    expect(judged).toMatchObject({ uniqueId, templateId, templatePath });
  });

  test.each([
    [{ id: '6F1C' }, '6f1c'],
    [{ id: null }, undefined],
    [{}, undefined],
  ])('%j has the id %s', (record, id) => {
    expect(change(record)).not.toHaveProperty('unknown.id');
    expect(change(record).id).toBe(id);
  });

  test.each([
    [{ journey: { template_id: 't' } }, true],
    [{ journey: 'wrong' }, true],
    [{ 'journey.template_id': 't' }, true],
    [{ journey: null, 'journey.template_id': null }, false],
    [{}, false],
    ['journey', false],
    [undefined, false],
  ])('%j names a journey: %s', (record, expected) => {
    expect(namesJourney(record)).toBe(expected);
  });
});

describe('the deprecated flags', () => {
  test.each([
    [{ unsubscribe_email: true }, { email_opted_in: false }],
    [{ unsubscribe_email: false }, { email_opted_in: true }],
    [{ unsubscribe_email: null }, { email_opted_in: null }],
    [{ unsubscribe_sms: true }, { sms_opted_in: false }],
    [{ unsubscribe_email: true, email_opted_in: true }, { email_opted_in: true }],
    [{ unsubscribe_email: true, email_opted_in: null }, { email_opted_in: null }],
    [{ unsubscribe_email: null, email_opted_in: false }, { email_opted_in: false }],
  ])('%j sets %j', (sent, expected) => {
    expect(change(sent).fields).toEqual(expected);
  });
});

describe('identity', () => {
  test.each([
    [{ unique_id: 'u', email: 'e' }, 'u'],
    [{ unique_id: ' u ' }, ' u '],
    [{ email: 'e' }, 'e'],
    [{ unique_id: '', email: 'e' }, 'e'],
    [{ unique_id: ' \t', email: ' e' }, ' e'],
    [{ unique_id: null, email: 'e' }, 'e'],
    [{ unique_id: 'u', email: null }, 'u'],
    [{ unique_id: 'u', email: '' }, 'u'],
    [{ unique_id: '\u0000' }, '\u0000'],
  ])('of %j is %j', (record, expected) => {
    expect(identityOf(upsert.parse(record) as ContactChange)).toBe(expected);
  });

  test.each([{}, { unique_id: null }, { unique_id: '', email: '' }, { unique_id: ' ', email: '\n' }, { email: null }])(
    '%j has none, which is a fault',
    (record) => {
      expect(paths(record)).toEqual(['/unique_id']);
    },
  );

  test('a value of the wrong type is one fault, not two', () => {
    expect(paths({ unique_id: 5 })).toEqual(['/unique_id']);
    expect(paths({ email: 5 })).toEqual(['/email']);
  });

  test('a unique_id has at most 1,024 bytes, whichever field it comes from', () => {
    expect(paths({ unique_id: 'é'.repeat(512) })).toEqual([]);
    expect(paths({ unique_id: 'é'.repeat(513) })).toEqual(['/unique_id']);
    expect(paths({ email: 'é'.repeat(512) })).toEqual([]);
    expect(paths({ email: 'é'.repeat(513) })).toEqual(['/email']);
    expect(paths({ unique_id: 'u', email: 'é'.repeat(1024) })).toEqual([]);
  });

  test.each([
    ['u', undefined],
    [' u ', undefined],
    [' ', 'must not be blank'],
    ['\ufffd', 'must not contain U+FFFD or control characters from U+0080 to U+009F, the traces of a wrong encoding'],
    ['x'.repeat(1025), 'must be at most 1024 bytes of UTF-8'],
  ])('a new unique_id %.12j has the error: %s', (uniqueId, message) => {
    expect(givenUniqueId.safeParse(uniqueId).error?.issues[0]?.message).toBe(message);
  });

  test('U+FFFD names nobody, whichever field it comes from', () => {
    expect(paths({ unique_id: 'M\ufffdller' })).toEqual(['/unique_id']);
    expect(paths({ email: 'm\ufffdller@example.com' })).toEqual(['/email']);
    expect(paths({ unique_id: 'O\u0092Brien' })).toEqual(['/unique_id']);
    expect(paths({ email: 'o\u009fbrien@example.com' })).toEqual(['/email']);
    const shown = { email: 'm\ufffdl\u0080ler@example.com', name_last: 'M\ufffdl\u0092ler' };
    expect(paths({ unique_id: 'M\u00a0\u007f', ...shown })).toEqual([]);
  });
});

describe('a phone number', () => {
  test.each([
    ['5551234567', '15551234567', 'ten digits get a leading 1'],
    ['(555) 123-4567', '15551234567', 'punctuation and blanks are removed'],
    ['555.123.4567', '15551234567', 'dots too'],
    ['555\u00a0123\u20114567', '15551234567', 'unusual blanks and hyphens too'],
    ['\u202a555 123 4567\u202c', '15551234567', 'marks of direction, as address books copy them, too'],
    ['15551234567', '15551234567', 'eleven digits stay'],
    ['+15551234567', '15551234567', 'a leading + is dropped'],
    ['+49 30 123456', '4930123456', 'with a + even ten digits are kept as they are'],
    [' +49 30 123456 ', '4930123456', 'blanks before the + count for nothing'],
    ['(+49) 30 123456', '4930123456', 'nor does a bracket'],
    ['123', '123', 'short numbers stay'],
    ['1', '1', 'even the shortest'],
    ['0049 30 12345678', '493012345678', 'a leading 00 is a +'],
    ['(00)6581234567', '6581234567', 'also before ten digits, and in brackets'],
    ['\uff0b6581234567', '6581234567', 'a wide + is a +'],
    ['+0065', '0065', 'after a + they are kept as they are'],
    ['0301234567', '10301234567', 'one leading zero is a digit like any other'],
    ['030/1234567', '0301234567'.replace(/^/, '1'), 'a slash is punctuation'],
    ['123456789012345', '123456789012345', '15 digits stay'],
    ['00 1234 5678 9012 345', '123456789012345', 'the 00 is none of them'],
    ['555-123-4567 #', '15551234567', 'nothing follows the last sign'],
    ['#31#5551234567', '315551234567', 'signs count as punctuation'],
  ])('%j is stored as %s: %s', (value, expected) => {
    expect(normalizedPhone(value)).toBe(expected);
  });

  test.each(['', ' ', '\t\n', '\u00a0'])('%j is null', (value) => {
    expect(normalizedPhone(value)).toBeNull();
  });

  test.each([
    ...['+', '---', '()', 'n/a', 'none', '555-CALL', '5551234567 x12', 'tel:5551234567', '٠١٢٣٤٥٦٧٨٩', '5５5', '①23'],
    ...['00', '1234567890123456', '00 1234 5678 9012 3456', '+1234567890123456'],
    ...['420601234567.0', '6125550123.00', '4206.0 ', '4.20601E+11', '420601234567,0'],
    ...[
      '6125550123;6125550199',
      '612-555-0123, 612-555-0199',
      '+1 612 555 0123 +1 612 555 0199',
      '555-0123 / 555-0199',
    ],
    ...['555-0123 555-0199', '5550123|5550199', '5550123\n5550199', '+16125550123,,123#', '6125550123#12', '555+0123'],
  ])('%j is none: no digit, letters, digits of another script, too many, a decimal, or two numbers', (value) => {
    expect(normalizedPhone(value)).toBeUndefined();
  });

  test('comes out as digits, whatever stands between them', () => {
    const separator = fc.constantFrom(' ', '-', '.', '(', ')', '/', '\u00a0', '\u2013');
    const parts = fc.array(fc.tuple(fc.stringMatching(/^[0-9]{1,4}$/), separator), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(parts, fc.boolean(), (written, international) => {
        const digits = written.map(([part]) => part).join('');
        fc.pre(
          digits.length <= 15 && !digits.startsWith('00') && written.every(([, sign]) => !' /\u00a0'.includes(sign)),
        );
        const value = (international ? '+' : '') + written.flat().join('');
        const expected = digits.length === 10 && !international ? `1${digits}` : digits;
        expect(normalizedPhone(value)).toBe(expected);
      }),
    );
  });
});
