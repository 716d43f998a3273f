import { expect, test } from 'vitest';
import { markupIn } from '../../lib/web/warnings/markup.ts';
import { orderWarnings } from '../../lib/web/warnings/order.ts';
import { otherScript } from '../../lib/web/warnings/scripts.ts';

test.each<[text: string, is: RegExp | undefined]>([
  ['See https://bank.example/rates.', /a URL, `https:\/\/bank\.example\/rates`/],
  ['Open {{ journey_url }} again', /a URL/],
  ['See www.bank.example or write to help@bank.example', undefined],
  ['Lorem ipsum dolor', /not written yet/],
  ['TODO: ask Anna', /not written yet/],
  ['[insert rate here]', /not written yet/],
  ['TODO INCLUIDO', undefined],
  ['Todo', undefined],
  ['Card XXXX 1234', undefined],
  ['Your rate (FIXME) is low', /not written yet/],
  ['Rate [TBC] a year', /not written yet/],
  ['asdf', /not written yet/],
  ['asdfgh jkl', /not written yet/],
  ['Su tasa [revisar]', /not written yet/],
  ['Votre taux [à vérifier]', /not written yet/],
  ['Sazba [doplnit]', /not written yet/],
  ['Until Invalid Date', /a value of a program/],
  ['Hello undefined!', /a value of a program/],
  ['Your rate: undefined', /a value of a program/],
  ['undefined %', /a value of a program/],
  ['Here is the translation: Welcome', /a message of a language model/],
  ['Here is the translation into Spanish: Hola', /a message of a language model/],
  ['Hier ist die Übersetzung: Hallo', /a message of a language model/],
  ['Aquí está la traducción: Hola', /a message of a language model/],
  ['Voici la traduction : Bonjour', /a message of a language model/],
  ['Zde je překlad: Dobrý den', /a message of a language model/],
  ['إليك الترجمة: مرحبا', /a message of a language model/],
  ['An invalid date is refused. The end is undefined, as agreed.', undefined],
  ['Terms: undefined words are explained below', undefined],
  ['Here is the translation', undefined],
  ['Aquí está la traducción de su contrato', undefined],
  ['Por revisar (pendiente)', undefined],
  ['We review it and translate it', undefined],
  ['undefined', /a value of a program/],
  ['#N/A', /a value of a program/],
  ['Null', undefined],
  ['Nan', undefined],
  ['crÃ©dito', /another encoding/],
  ['the bankâ€™s', /another encoding/],
  ['NÃO, cr\ufffddito', /another encoding/],
  ['NÃO CRÉDITO “A” – €', undefined],
  ['*Now* open', /Markdown/],
  ['3%* a year, no fees* at all', undefined],
  ['5 * 3 * 2 = 30', undefined],
])('the text %j', (text, is) => {
  const found = markupIn(text);
  if (is) expect(found).toEqual([expect.stringMatching(is)]);
  else expect(found).toEqual([]);
});

test.each<[orders: (number | null)[], place: number | undefined]>([
  [[null, null, 3], 2],
  [[null, 2, 3], 1],
  [[1, 2, null], undefined],
  [[1, null, 2], 2],
  [[2, null, null, 1], 3],
  [[null, null, 1], undefined],
  [[null, null, 0], 2],
  [[null, -1], 1],
  [[0, 1, null], undefined],
  [[10, 20, 5], undefined],
  [[null, null], undefined],
  [[], undefined],
])('the orders %j', (orders, place) => {
  const found = orderWarnings(
    orders.map((order) => ({ order })),
    '/list',
  );
  expect(found.map(({ path }) => path)).toEqual(place === undefined ? [] : [`/list/${place}/order`]);
});

test.each<[language: string, texts: string[], isOther: boolean]>([
  ['ar', ['Welcome to your new account'], true],
  ['ar', ['Welcome to your new account', 'أهلًا'], false],
  ['de', ['Добро пожаловать в ваш счёт'], true],
  ['ja', ['口座へようこそ、あなたの新しい口座です'], false],
  ['sr', ['Dobro došli u vaš novi račun'], true],
  ['sr-Latn', ['Dobro došli u vaš novi račun'], false],
  ['ar', ['Visa', '{{name_first}} {{name_last}} {{email}}'], false],
])('texts of the language %s: %j', (language, texts, isOther) => {
  expect(otherScript(language, texts) !== undefined).toBe(isOther);
});
