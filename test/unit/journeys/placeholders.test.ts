import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LinkedAccount } from '../../../lib/domain/journeys/linked-account.ts';
import {
  fill,
  fillUrl,
  leftOut,
  namesAccount,
  namesIn,
  namesPrivateData,
  noValues,
  textsIn,
  type Values,
} from '../../../lib/domain/journeys/placeholders.ts';
import { parseJson, type RawNumber } from '../../../lib/domain/values/json.ts';
import { contactOf } from '../../support/samples/samples.ts';

const rate = parseJson('12.50') as RawNumber;
const meta_public = {
  ...{ 'car.make': 'Skoda', 'cars.0.make': 'Tatra', 'key with spaces': 'k' },
  ...{ count: 3, none: null, rate, is_new: false },
};
const contact = contactOf({
  ...{ unique_id: 'u-1', name_first: 'Jana', city: 'Pisek & Tabor', email_opted_in: true },
  ...{ meta_public, meta_private: { ssn: '1234' } },
});
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
    town: 'city',
    home: 'journey_url',
    question: 'Ask your team. Or us.',
    answer: 42,
    list: ['contact.name_first'],
    nothing: null,
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
    ['{{town}} {{home}} {{question}} {{answer}}', 'Pisek & Tabor https://x.example/j/s Ask your team. Or us. 42'],
    ['{{meta_public.rate}}', '12.50'],
    ['{{meta_public.is_new}}', 'false'],
  ])('%s stands for its value', (text, expected) => {
    expect(fill(text, values)).toBe(expected);
  });

  test.each([
    ...['{{name_last}}', '{{meta_public.none}}', '{{meta_public.car}}', '{{nobody.knows}}', '{{constructor}}', '{{}}'],
    ...['{{meta_public.__proto__}}', '{{contact.id}}', '{{contact.meta_public}}', '{{meta_public.constructor}}'],
    ...['{{meta_secret.count}}', '{{list}}', '{{nothing}}'],
  ])('%s stands for nothing', (text) => {
    expect(fill(`[${text}]`, values)).toBe('[]');
  });

  test.each([
    ['Hello, {{name_first|friend}}!', 'Hello, Jana!'],
    ['Hello, {{name_last|friend}}!', 'Hello, friend!'],
    ['Hello, {{ contact.name_last | dear <b>friend</b> }}!', 'Hello, dear <b>friend</b>!'],
    ['{{name_last|}}', ''],
    ['{{address|a|b}}', 'a|b'],
    ['{{nobody.knows|you}}', 'you'],
    ['{{nothing|you}}', 'you'],
    ['{{blank|you}}', 'you'],
    ['{{account.nickname|your account}}', 'your account'],
    ['{{name_last|{city}}}', '{{name_last|{city}}}'],
  ])('%s has its value, or else its fallback', (text, expected) => {
    const variables = { ...values.variables, nothing: '', blank: 'contact.address2' };
    expect(fill(text, { ...values, contact: { ...contact, address2: ' ' }, variables })).toBe(expected);
  });

  test.each(['meta_private.ssn', 'meta_private.none', 'secret', 'birthdate', 'account.balance'])(
    '%s shows no fallback before the proof, whether or not it has a value',
    (name) => {
      const text = `{{${name}|nothing}}`;
      for (const given of [contact, { ...contact, meta_private: null }, undefined]) {
        expect(fill(text, { ...values, contact: given })).toBe(leftOut);
      }
      expect(namesPrivateData([text], values.variables)).toBe(true);
    },
  );

  test('has its fallback after the proof', () => {
    expect(fill('{{birthdate|unknown}}', { ...values, isIdentityValidated: true })).toBe('unknown');
  });

  test('shows no fallback if values of the contact are withheld', () => {
    const withheld = { ...values, contact: undefined, isWithheld: true };
    expect(fill('{{name_first|friend}} {{team.name|us}}', withheld)).toBe(`${leftOut} Cedar`);
  });

  test('shows no value of an account if values of the contact are withheld', () => {
    const withheld = { ...values, account, isWithheld: true };
    expect(fill('{{account.nickname}} {{meta_public.count}} {{team.name}}', withheld)).toBe(
      `${leftOut} ${leftOut} Cedar`,
    );
  });

  test.each(['{{name_first}}', '{{meta_public.count}}', '{{meta_private.ssn}}', '{{account.meta_public.card}}'])(
    '%s is empty without a contact and an account',
    (text) => {
      expect(fill(text, { ...noValues, isIdentityValidated: true })).toBe('');
      expect(fillUrl(`https://a.example/${text}`, noValues)).toBe('https://a.example/');
    },
  );

  test('in a URL has its fallback, percent-encoded', () => {
    const text = 'https://a.example/{{meta_public.none|New York}}/{{meta_public.count|0}}/{{meta_private.ssn|-}}';
    expect(fillUrl(text, { ...values, isIdentityValidated: true })).toBe('https://a.example/New%20York/3/-');
    expect(fillUrl('{{journey_url|https://b.example}}', noValues)).toBe('https://b.example');
  });

  test.each(['{{', '}}', '{name_first}', '{{name_first}', '{{ {name_first} }}'])('%s is none', (text) => {
    expect(fill(text, values)).toBe(text);
  });

  test.each(['{{meta_private.ssn}}', '{{contact.meta_private.ssn}}', '{{secret}}'])(
    '%s stands for something only once the person has shown who they are',
    (text) => {
      expect(fill(text, values)).toBe(leftOut);
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

const account: LinkedAccount = {
  account_number: '40012',
  role: 'joint',
  closed_date: null,
  since: '2020-01-01T00:00:00.000000Z',
  product: {
    id: 'p-1',
    code: 'CHK',
    type: 'checking',
    standardized_type: 'checking',
    name: 'Everyday',
    description: null,
  },
  account: {
    fields: { nickname: 'Household', balance: '12.50', micr: '99', opened_date: '2026-01-01' },
    product_code: 'CHK',
    meta_public: { 'card.colour': 'blue' },
    meta_private: { limit: 900 },
  },
};

describe('a placeholder for what may be asked to prove who somebody is', () => {
  const known = {
    birthdate: '1985-03-27',
    phone_mobile: '15550101',
    phone_home: '2',
    phone_work: '3',
    post_code: '94110',
  };
  const own = {
    ...values,
    contact: { ...contact, ...known },
    variables: { born: 'contact.birthdate', post_code: 'ZIP' },
  };
  test.each(Object.entries(known).filter(([name]) => name !== 'post_code'))(
    '{{%s}} is left out until that is proved',
    (name, value) => {
      for (const text of [`{{${name}}}`, `{{contact.${name}}}`]) {
        expect(fill(text, own)).toBe(leftOut);
        expect(fill(text, { ...own, isIdentityValidated: true })).toBe(value);
        expect(namesPrivateData([{ deep: [text] }], own.variables)).toBe(true);
      }
    },
  );

  test('is left out whatever names it, whether or not there is a value, and never part of a URL', () => {
    expect(fill('{{born}} {{contact.post_code}}', own)).toBe(`${leftOut} ${leftOut}`);
    expect(fill('{{birthdate}}', { ...own, contact })).toBe(leftOut);
    expect(fillUrl('https://a.example/{{birthdate}}', { ...own, isIdentityValidated: true })).toBe(
      'https://a.example/',
    );
    // A variable of that name is a text of the author's.
    expect(fill('{{post_code}}', own)).toBe('ZIP');
    expect(namesPrivateData(['{{post_code}}'], own.variables)).toBe(false);
  });
});

describe('a placeholder for the account', () => {
  const held = { ...values, account, variables: { limit: 'account.meta_private.limit' } };
  test.each([
    ['{{account.nickname}}', 'Household'],
    ['{{account.product.name}}', 'Everyday'],
    ['{{account.product.code}} {{account.product.type}}', 'CHK checking'],
    ['{{account.meta_public.card.colour}}', 'blue'],
    ['{{account.product.description}}', ''],
    ['{{account.product.constructor}}', ''],
  ])('%s is shown to everybody who holds the link', (text, expected) => {
    expect(fill(text, held)).toBe(expected);
    expect(namesPrivateData([text], {})).toBe(false);
    expect(namesAccount([text], {})).toBe(true);
  });

  test.each([
    ['{{account.balance}}', '12.50'],
    ['{{account.account_number}}', '40012'],
    ['{{account.role}}', 'joint'],
    ['{{account.opened_date}}', '2026-01-01'],
    ['{{account.meta_private.limit}}', '900'],
    ['{{limit}}', '900'],
    ['{{account.constructor}}', ''],
    ['{{account.my.product.name}}', ''],
    ['{{account.products}}', ''],
  ])('%s is left out until the person has shown who they are', (text, expected) => {
    expect(fill(text, held)).toBe(leftOut);
    expect(fill(text, { ...held, isIdentityValidated: true })).toBe(expected);
    expect(namesPrivateData([text], held.variables)).toBe(true);
  });

  test('stands for nothing where there is none', () => {
    expect(fill('[{{account.nickname}}{{account.balance}}]', { ...values, isIdentityValidated: true })).toBe('[]');
  });

  test('puts public metadata alone into a URL', () => {
    const text = 'https://a.example/{{account.meta_public.card.colour}}{{account.nickname}}{{account.balance}}';
    expect(fillUrl(text, { ...held, isIdentityValidated: true })).toBe('https://a.example/blue');
  });
});

describe('a placeholder in an address', () => {
  test('stands for what is public alone, and cannot change where the address leads', () => {
    const given = { ...values, isIdentityValidated: true, contact: { ...contact, meta_public: { ref: '@evil/?#' } } };
    expect(fillUrl('https://a.example/{{name_first}}{{email}}{{meta_private.ssn}}{{secret}}', given)).toBe(
      'https://a.example/',
    );
    expect(fillUrl('https://a.example{{meta_public.ref}}', given)).toBe('https://a.example%40evil%2F%3F%23');
    expect(fillUrl('{{journey_url}}?page=1', given)).toBe('https://x.example/j/s?page=1');
    expect(fillUrl('https://a.example/{{greeting}}', given)).toBe('https://a.example/Good%20day');
  });
});

const variables = { member: 'contact.name_first', greeting: 'Good day' };

test('only a name of an account names the account', () => {
  const others = { nick: 'account.nickname', account: 'name_first' };
  expect(namesAccount(['{{nick}}'], others)).toBe(true);
  expect(namesAccount(['{{name_first}} {{account}} {{my.account.nickname}}', 'account.nickname'], others)).toBe(false);
});

test('texts are found at any depth, and nothing else is a text', () => {
  expect(textsIn({ a: 'x', b: [1, null, true, 'y', { c: ['z'] }], d: undefined })).toEqual(['x', 'y', 'z']);
  for (const value of [5, null, undefined, true, {}, []]) expect(textsIn(value)).toEqual([]);
});

test('the placeholders of a text are named with their values and fallbacks', () => {
  expect(namesIn('{{ member | you }} {{greeting}} {{city|}} {{|x}}', variables)).toEqual([
    { written: 'member', name: 'contact.name_first', fallback: 'you' },
    { written: 'greeting', name: undefined, fallback: undefined },
    { written: 'city', name: 'city', fallback: '' },
    { written: '', name: '', fallback: 'x' },
  ]);
});
