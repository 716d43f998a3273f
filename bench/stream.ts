import { DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { LocalDescription } from '../bin/local/description.ts';
import { localAccess } from '../bin/local/environment.ts';
import type { OnboardingClient } from '../client/index.ts';
import { importAll, recordsPerRound } from './import.ts';
import { median, rounded, secondsOf } from './measure.ts';
import { benchRecord } from './records.ts';

type Service = { local: LocalDescription; client: OnboardingClient };

export type StreamResult = {
  rounds: number;
  /** Records a second: new records, posted to applied. */
  with_stream: number;
  without_stream: number;
  /** The median of the ratios of the rounds. */
  ratio: number;
  /** Records a second with the stream in the first and in the last tenth of the rounds. */
  first: number;
  last: number;
};

/**
 * Imports new records into two services, of which the second one has no stream, in turn. The first round warms up both
 * and is not counted.
 */
export async function benchStream(
  [streaming, other]: readonly [Service, Service],
  rounds: number,
  say: (text: string) => void,
): Promise<StreamResult> {
  await closeStream(other.local);
  const measured: { streaming: number; other: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const rates = { streaming: await rateOf(streaming, round), other: await rateOf(other, round) };
    if (round > 0) measured.push(rates);
    if (round % 10 === 0) say(`${round} of ${rounds} rounds`);
  }
  const rates = measured.map((each) => each.streaming);
  const tenth = Math.ceil(rounds / 10);
  return {
    rounds,
    with_stream: rounded(median(rates)),
    without_stream: rounded(median(measured.map((each) => each.other))),
    ratio: rounded(median(measured.map((each) => each.streaming / each.other))),
    first: rounded(median(rates.slice(0, tenth))),
    last: rounded(median(rates.slice(-tenth))),
  };
}

async function closeStream({ dynamodb_endpoint: endpoint, table_name: TableName }: LocalDescription): Promise<void> {
  const engine = new DynamoDBClient({ endpoint, ...localAccess });
  await engine.send(new UpdateTableCommand({ TableName, StreamSpecification: { StreamEnabled: false } }));
  engine.destroy();
}

async function rateOf({ client }: Service, round: number): Promise<number> {
  const run = `bench-stream-${round}`;
  const records = Array.from({ length: recordsPerRound }, (_, n) => benchRecord(`${run}-${n}`));
  return recordsPerRound / (await secondsOf(() => importAll(client, run, records, 'applied')));
}

export const streamText = (result: StreamResult): string =>
  [
    `Records of an import a second, medians of ${result.rounds} rounds of ${recordsPerRound.toLocaleString('en')}`,
    `  with the stream     ${result.with_stream.toLocaleString('en')}`,
    `  without the stream  ${result.without_stream.toLocaleString('en')}`,
    `  ratio               ${result.ratio}`,
    `  with the stream, in the first tenth of the rounds ${result.first.toLocaleString('en')}, in the last ${result.last.toLocaleString('en')}`,
  ].join('\n');
