import type { Command } from 'commander';
import type { JsonValue } from '../../lib/domain/json.ts';
import { validationFailed } from '../../lib/domain/problem.ts';
import { readDocument } from '../content/read.ts';
import { print, say, writeData } from '../output.ts';
import { textsCsv, translatedTexts, withTexts } from './content-texts.ts';
import { documentOf, textIn, writeTo } from './document.ts';
import { failure } from './failure.ts';
import { isStarter, starterDocument, starters } from './starters.ts';
import { quantity, tableOf } from './text.ts';

const jsonOf = (value: JsonValue): string => `${JSON.stringify(value, undefined, 2)}\n`;

type TextsOptions = { csv?: boolean; apply?: string; language?: string; json?: boolean };

/** The verbs of content that work on files. They need no running service. */
export function registerContentFiles(content: Command): void {
  content
    .command('new')
    .description('Print a campaign to begin with, in two languages and with ids; without a name, list them')
    .argument('[starter]', Object.keys(starters).join(', '))
    .option('--out <file>', 'write it to this file, which must not exist')
    .option('--json', 'print one JSON value and nothing else')
    .action((name: string | undefined, { out, json }: { out?: string; json?: boolean }) => {
      if (name === undefined) {
        const list = Object.entries(starters);
        const value = list.map(([starter, description]) => ({ starter, description }));
        print(json ? JSON.stringify(value) : tableOf(['STARTER', 'WHAT IT SHOWS'], list, ''));
        return;
      }
      if (!isStarter(name)) {
        const message = `must be one of ${Object.keys(starters).join(', ')}`;
        throw failure('not_found', message, '<starter>');
      }
      const document = starterDocument(name);
      if (out === undefined) print(json ? JSON.stringify(document) : jsonOf(document).trimEnd());
      else {
        writeTo(out, jsonOf(document), 'wx');
        print(
          json ? JSON.stringify({ file: out }) : `The campaign is in ${out}. Look at it: npm run preview -- ${out}`,
        );
      }
    });

  content
    .command('texts')
    .description('Print the texts of a document for a translator, or write the translations into it')
    .argument('<file>', 'the JSON document')
    .option('--csv', 'print the texts and their translations as CSV')
    .option('--apply <csv>', 'write the translations of this list into the file')
    .option('--language <tag>', 'the language of the translations, BCP 47')
    .option('--json', 'print one JSON value and nothing else')
    .action(async (file: string, { csv, apply, language, json }: TextsOptions) => {
      if ((csv === true) === (apply !== undefined)) throw failure('invalid_arguments', 'write --csv or --apply');
      const value = documentOf(file, true);
      const { errors, document } = readDocument(value);
      if (!document) throw validationFailed(errors);
      if (apply === undefined) {
        const texts = translatedTexts(document, language);
        if (json) print(JSON.stringify(texts.list));
        else await writeData(textsCsv(texts));
        return;
      }
      if (language === undefined) throw failure('invalid_arguments', '--apply needs --language');
      const list = textIn(apply);
      const { document: changed, ...counts } = applied(() => withTexts(value, document, list, language), apply);
      if (file === '-') print(jsonOf(changed).trimEnd());
      else writeTo(file, jsonOf(changed), 'w');
      for (const text of json ? [] : counts.unknown) say(`Not in the campaign: ${text}`);
      for (const text of json ? [] : counts.removed) say(`Removed, because no page shows it any more: ${text}`);
      const text = `${quantity(counts.translated, 'text')} in ${language}, ${counts.missing} without a translation.`;
      if (file === '-') say(text);
      else print(json ? JSON.stringify({ file, language, ...counts }) : text);
    });
}

function applied<T>(run: () => T, file: string): T {
  try {
    return run();
  } catch (error) {
    throw failure('invalid_request', `${file}: ${(error as Error).message}`);
  }
}
