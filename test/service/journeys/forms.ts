/** A form as a browser reads it. */
type Form = {
  /** Hidden fields. */
  fixed: [name: string, value: string][];
  /** Names of the fields in which the person types. */
  texts: string[];
  /** The values of each group of radio buttons. */
  choices: Map<string, string[]>;
};

const decoded = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string => decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** The forms with which the page is completed, in their order. */
export const formsIn = (html: string): Form[] =>
  [...html.matchAll(/<form class="completion".*?<\/form>/gs)].map(([form]) => {
    const fields = [...form.matchAll(/<(?:input|textarea)\b[^>]*>/g)].map(([tag]) => ({
      ...{ type: attribute(tag, 'type') || 'textarea', name: attribute(tag, 'name'), value: attribute(tag, 'value') },
    }));
    const choices = Map.groupBy(
      fields.filter(({ type }) => type === 'radio'),
      ({ name }) => name,
    );
    return {
      fixed: fields.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value]),
      texts: fields.filter(({ type }) => type === 'text' || type === 'textarea').map(({ name }) => name),
      choices: new Map([...choices].map(([name, each]) => [name, each.map(({ value }) => value)])),
    };
  });
