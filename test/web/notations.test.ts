import { expect, test } from 'vitest';
import { notationsIn } from '../../lib/web/warnings/notations.ts';

test.each([
  ['Dear name_first}}', 'name_first'],
  ['Dear ｛｛name_first｝｝', 'name_first'],
  ['Dear «name_first»', 'name_first'],
  ['Dear <FirstName>', 'name_first'],
  ['Dear :name_first', 'name_first'],
  ['Dear ((name_first))', 'name_first'],
  ['Dear ((First Name))', 'name_first'],
  ['Dear (first_name),', 'name_first'],
  ['Dear $(name_first)', 'name_first'],
  ['Dear $name_first', 'name_first'],
  ['Dear #FIRSTNAME#', 'name_first'],
  ['Dear __name_first__', 'name_first'],
  ['Dear %%First Name%%', 'name_first'],
  ['Dear {% name_first %}', 'name_first'],
  ['Dear {!Contact.FirstName}', 'name_first'],
  ['Dear <First Name>', 'name_first'],
  ['Dear {first name|friend}', 'name_first'],
  ['Dear [[name_first:friend]]', 'name_first'],
  ['Dear *|FNAME:friend|*', 'name_first'],
  ['Dear firstName', 'name_first'],
  ['Balance: account.balence.', 'account.balance'],
  ['Your meta_public.car.make', 'meta_public.car.make'],
])('%s has a placeholder in another notation', (text, name) => {
  expect(notationsIn(text)).toEqual([expect.stringContaining(`{{${name}}}`)]);
});

test.each([
  ...['« Titre »', 'at 10:30_h', '@bank_of_here', 'a }} b', 'a <B', '(optional)', '(email)', '#City and #Phone'],
  ...[
    'name_first@bank.example',
    'bank.example/first_name',
    'the name, first and last',
    'my_bank_online',
    '{{city|a_b}}',
  ],
])('%s has none', (text) => {
  expect(notationsIn(text)).toEqual([]);
});

test.each([
  ['Save \x24{amount} now', '\x24{amount}'],
  ['Save <<amount>> now', '<<amount>>'],
  ['Save {0} now', '{0}'],
  ['Hello %s!', '%s'],
  ['{% if vip %}Hello', '{% if vip %}'],
  ['Until [date]', '[date]'],
  ['hasta el [Fecha]', '[Fecha]'],
  ['do [datum]', '[datum]'],
])('%s has a value of another system', (text, written) => {
  const message = `has \`${written}\`, which people see as it is written: write the value, or a placeholder such as`;
  expect(notationsIn(text)).toEqual([expect.stringContaining(message)]);
});

test('a placeholder of another system that is known has one warning', () => {
  expect(notationsIn('Dear \x24{first_name}')).toEqual([expect.stringContaining('{{name_first}}')]);
});

test.each([
  ...[
    '3 %s',
    '3%d',
    '3 % de',
    '100\u00a0%d',
    '$5 {a}',
    'Costs $ {',
    '<< Bonne année >>',
    '5 << 6 >> 7',
    '{10}',
    '[1] See',
  ],
  ...['Up-to-date', '[dated]', 'A date (date)', '{{city|a}}'],
])('%s has no value of another system', (text) => {
  expect(notationsIn(text)).toEqual([]);
});

test('a URL can have a parameter of that name', () => {
  expect(notationsIn('https://bank.example?first_name=A', [], 'url')).toEqual([]);
  expect(notationsIn('https://bank.example?n={first_name}', [], 'url')).toHaveLength(1);
});
