import type { paths } from './schema.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Method and path, such as `GET /v1/contacts/{id}`. */
export type Operation = {
  [Path in keyof paths]: {
    [Name in Method]: paths[Path][Name] extends { responses: unknown } ? `${Uppercase<Name>} ${Path}` : never;
  }[Method];
}[keyof paths];

type Described<Name extends Operation> = Name extends `${infer Verb} ${infer Path extends keyof paths}`
  ? Extract<paths[Path][Lowercase<Verb> & Method], { responses: unknown; parameters: unknown }>
  : never;

type Json<Media> = Media extends { content: { 'application/json': infer Data } } ? Data : never;
type Responses<Name extends Operation> = Described<Name>['responses'];

/** The body of a successful response. */
export type Result<Name extends Operation> = Json<Responses<Name>[keyof Responses<Name> & (200 | 201 | 202)]>;

type Body<Name extends Operation> = Described<Name> extends { requestBody: infer Sent } ? { body: Json<Sent> } : object;
type Path<Name extends Operation> = Described<Name>['parameters'] extends { path: infer Parameters }
  ? { path: Parameters }
  : object;

/** What a call sends. */
export type Input<Name extends Operation> = Body<Name> &
  Path<Name> & {
    query?: Readonly<Record<string, string | number | boolean | undefined>>;
    headers?: Readonly<Record<string, string>>;
    signal?: AbortSignal | undefined;
    /** True if a second attempt could take effect a second time. */
    onlyOnce?: boolean;
  };

/** The parameters of any operation. */
export type Parameters = { path?: Readonly<Record<string, string>>; query?: Input<'GET /v1/contacts'>['query'] };

/** The URL of the operation. Parameters that are `undefined` are left out. */
export function urlOf(baseUrl: string, route: string, { path = {}, query = {} }: Parameters): string {
  const filled = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, `${value}`);
  return baseUrl + filled + (sent.size > 0 ? `?${sent}` : '');
}
