import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contact, noDetails } from '../../lib/domain/contact.ts';
import { fill, fillAddress, noValues, type Values } from '../../lib/web/values.ts';

const contact: Contact = {
  ...noDetails,
  id: 'c',
  unique_id: 'u-1',
  inserted_at: '',
  updated_at: '',
  name_first: 'Jana',
  city: 'Pisek & Tabor',
  email_opted_in: true,
  meta_public: { 'car.make': 'Skoda', 'cars.0.make': 'Tatra', 'key with spaces': 'k', count: 3, none: null },
  meta_private: { ssn: '1234' },
};
const values: Values = {
  ...noValues,
  contact,
  journeyUrl: 'https://x.example/j/s',
  teamName: 'Cedar',
  templateName: 'Welcome',
  variables: {
    member: 'contact.name_first',
    greeting: 'Good day',
    secret: 'contact.meta_private.ssn',
    deep: '{{city}}',
  },
};

describe('a placeholder', () => {
  test.each([
    ['{{contact.name_first}}', 'Jana'],
    ['{{name_first}}', 'Jana'],
    ['{{ name_first }} of {{city}}', 'Jana of Pisek & Tabor'],
    ['{{email_opted_in}}', 'true'],
    ['{{unique_id}}', 'u-1'],
    ['{{meta_public.car.make}}', 'Skoda'],
    ['{{contact.meta_public.car.make}}', 'Skoda'],
    ['{{meta_public.cars.0.make}}', 'Tatra'],
    ['{{meta_public.key with spaces}}', 'k'],
    ['{{meta_public.count}}', '3'],
    ['{{journey_url}}', 'https://x.example/j/s'],
    ['{{team.name}}, {{template.name}}', 'Cedar, Welcome'],
    ['{{member}}, {{greeting}}', 'Jana, Good day'],
  ])('%s stands for its value', (text, expected) => {
    expect(fill(text, values)).toBe(expected);
  });

  test.each([
    '{{name_last}}',
    '{{meta_public.none}}',
    '{{meta_public.car}}',
    '{{nobody.knows}}',
    '{{constructor}}',
    '{{meta_public.__proto__}}',
    '{{}}',
    '{{contact.id}}',
    '{{contact.meta_public}}',
  ])('%s stands for nothing', (text) => {
    expect(fill(`[${text}]`, values)).toBe('[]');
  });

  test.each(['{{', '}}', '{name_first}', '{{name_first}', '{{ {name_first} }}'])('%s is none', (text) => {
    expect(fill(text, values)).toBe(text);
  });

  test.each(['{{meta_private.ssn}}', '{{contact.meta_private.ssn}}', '{{secret}}'])(
    '%s stands for something only once the person has shown who they are',
    (text) => {
      expect(fill(text, values)).toBe('');
      expect(fill(text, { ...values, isIdentityValidated: true })).toBe('1234');
    },
  );

  test('is filled in once: what a value or a variable holds is never looked at again', () => {
    fc.assert(
      fc.property(fc.string(), (name_first) => {
        expect(fill('{{name_first}}', { ...values, contact: { ...contact, name_first } })).toBe(name_first);
      }),
    );
    expect(fill('{{name_first}}', { ...values, contact: { ...contact, name_first: '{{email}}' } })).toBe('{{email}}');
    expect(fill('{{deep}}', values)).toBe('{{city}}');
  });
});

describe('a placeholder in an address', () => {
  test('stands for what is public alone, and cannot change where the address leads', () => {
    const given = { ...values, isIdentityValidated: true, contact: { ...contact, meta_public: { ref: '@evil/?#' } } };
    expect(fillAddress('https://a.example/{{name_first}}{{email}}{{meta_private.ssn}}{{secret}}', given)).toBe(
      'https://a.example/',
    );
    expect(fillAddress('https://a.example{{meta_public.ref}}', given)).toBe('https://a.example%40evil%2F%3F%23');
    expect(fillAddress('{{journey_url}}?page=1', given)).toBe('https://x.example/j/s?page=1');
  });
});
