import fc, { type Arbitrary, type GeneratorValue } from 'fast-check';
import type { JsonValue } from '../../lib/domain/json.ts';
import { arbitraryOf } from './arbitrary.ts';
import { type Draft, type Pick, type Trial, type Verdict, written } from './draft.ts';
import { brokenBody, brokenEnvelope, brokenQuery } from './mutations.ts';
import { rules } from './rules.ts';
import type { InterfaceDocument, Operation, Schema } from './schema.ts';
import type { World } from './world.ts';

const pickFrom =
  (gen: GeneratorValue): Pick =>
  (arbitrary) =>
    gen(() => arbitrary);

/** Requests that the document allows. Only a rule in `rules.ts` may reject them. */
export function validTrials(document: InterfaceDocument, world: World, operation: Operation): Arbitrary<Trial> {
  const draftOf = drafts(document, world, operation);
  return fc.gen().map((gen) => {
    const draft = draftOf(pickFrom(gen));
    return { operation, sent: written(draft), ...expected(draft, world) };
  });
}

/** Requests with one error that the document forbids. */
export function invalidTrials(document: InterfaceDocument, world: World, operation: Operation): Arbitrary<Trial> {
  const draftOf = drafts(document, world, operation);
  return fc.gen().map((gen) => {
    const pick = pickFrom(gen);
    const draft = draftOf(pick);
    const kinds = [
      ...(draft.body === undefined ? [] : [brokenBody, brokenBody, brokenBody]),
      ...(operation.parameters.some((each) => each.in === 'query') ? [brokenQuery] : []),
      brokenEnvelope,
    ];
    const trial = pick(fc.constantFrom(...kinds))(pick, draft, document) ?? brokenEnvelope(pick, draft);
    return { operation, ...trial };
  });
}

function drafts(document: InterfaceDocument, world: World, operation: Operation): (pick: Pick) => Draft {
  const ofSchema = arbitraryOf(document, world.known);
  const mediaTypes = Object.keys(operation.bodies);
  return (pick) => {
    const places = world.places[operation.path] ?? [];
    const leads = places.length > 0 && pick(fc.nat(9)) > 0;
    const names = operation.parameters.filter((each) => each.in === 'path');
    const params = leads
      ? pick(fc.constantFrom(...places))
      : Object.fromEntries(names.map(({ name, schema }) => [name, String(pick(ofSchema(schema))) || 'x']));
    const mediaType = mediaTypes.length > 0 ? pick(fc.constantFrom(...mediaTypes)) : undefined;
    return {
      operation,
      params,
      leads: leads || names.length === 0,
      query: queryOf(pick, operation, ofSchema, world),
      ...(mediaType === undefined ? {} : { mediaType, body: pick(ofSchema(operation.bodies[mediaType]!)) }),
      headers: [...authorization(world, operation), ...pick(harmlessHeaders)],
    };
  };
}

/** The query of a metadata field in the style `deepObject`. */
const metadataKey = fc.constantFrom('core_id', 'a.b', 'a][b', '0', '__proto__', 'é');

/** A lookup requires exactly one parameter. A cursor replaces the query that returned it. */
function queryOf(
  pick: Pick,
  { id, parameters }: Operation,
  ofSchema: (schema: Schema) => Arbitrary<JsonValue>,
  world: World,
): [string, string][] {
  const declared = parameters.filter((each) => each.in === 'query');
  const isLookup = id === 'searchContentContainers';
  const chosen = isLookup
    ? [pick(fc.constantFrom(...declared))]
    : declared.filter((each) => each.required || pick(fc.nat(3)) === 0);
  const cursor = chosen.find(({ name }) => name === 'cursor');
  return (cursor ? [cursor] : chosen).flatMap(({ name, schema, style }) => {
    if (style === 'deepObject') return [[`${name}[${pick(metadataKey)}]`, pick(fc.string())]];
    const known = world.known[id === 'findBatch' && name === 'cursor' ? 'batch_cursor' : name] ?? [];
    const takesKnown = known.length > 0 && (name === 'cursor' || pick(fc.boolean()));
    return [[name, String(pick(takesKnown ? fc.constantFrom(...known) : ofSchema(schema)))]];
  });
}

const authorization = ({ token }: World, { needsToken }: Operation): [string, string][] =>
  needsToken ? [['authorization', `Bearer ${token}`]] : [];

/** Changes that a server must accept. */
const harmlessHeaders = fc.subarray<[string, string]>(
  [
    ['accept', 'text/html'],
    ['accept-encoding', 'gzip, br'],
    ['user-agent', 'f\u00fcz\u00ff'],
    ['x-request-id', 'of the caller'],
    ['x-forwarded-for', '203.0.113.7, x'],
    ['cookie', 'a=b; c'],
    ['x-long', 'x'.repeat(4000)],
    ['content-encoding', 'identity'],
  ],
  { maxLength: 2 },
);

/** Operations whose query or form may refer to objects that do not exist. */
const refersElsewhere = ['findBatch', 'getBatch', 'showJourney', 'askIdentity', 'checkIdentity'];

function expected(draft: Draft, world: World): Verdict {
  const { operation, leads } = draft;
  const broken = Object.entries(rules).filter(([, rule]) => rule.isBroken(draft, world));
  const missing = leads && !refersElsewhere.includes(operation.id) ? [] : [404];
  if (broken.length > 0) {
    const statuses = broken.map(([, { status }]) => status);
    return { statuses: [...statuses, ...missing], because: broken.map(([name]) => name).join('; ') };
  }
  const successes = Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status < 400);
  const wrongGuess = operation.id === 'checkIdentity' ? [422, 429] : [];
  // Another chunk of the batch may have announced another number before.
  const otherCount = draft.operation.id === 'createBatch' ? [409] : [];
  const statuses = [...successes, ...missing, ...wrongGuess, ...otherCount];
  return { statuses, because: 'it is valid by the document' };
}
