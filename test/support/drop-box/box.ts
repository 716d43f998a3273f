import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { versionOf } from '../../../bin/local/storage/bucket.ts';
import type { DropReport } from '../../../lib/domain/drop-box/drop-report.ts';
import { derivedFileId } from '../../../lib/store/table/ids.ts';
import { localCredentials, localRegion } from '../engine/engine.ts';
import type { TestService } from '../service/service.ts';
import { until } from '../until.ts';

/** The drop box as a partner uses it: files in, reports out. */
export class DropBox {
  readonly #api: TestService;
  readonly #teamId: string;

  constructor(api: TestService, teamId: string) {
    this.#api = api;
    this.#teamId = teamId;
  }

  path(name: string): string {
    return join(this.#api.local.drop_box_folder, this.#teamId, name);
  }

  copy(name: string, content: string | Buffer): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  async put(name: string, content: string): Promise<void> {
    const { drop_box_endpoint: endpoint, drop_box_bucket: Bucket } = this.#api.local;
    const client = new S3Client({ endpoint, region: localRegion, credentials: localCredentials });
    await client.send(new PutObjectCommand({ Bucket, Key: `${this.#teamId}/${name}`, Body: content }));
    client.destroy();
  }

  batchId(name: string): string {
    const version = versionOf(statSync(this.path(name), { bigint: true }));
    return `drop-${derivedFileId(`${this.#teamId}/${name}`, version)}`;
  }

  async report(name: string): Promise<DropReport> {
    const path = this.path(`${name}.report.json`);
    await until(`${path} is there`, () => existsSync(path));
    return JSON.parse(readFileSync(path, 'utf8'));
  }
}

export const header = 'account_number,contact.unique_id,product.code,product.type,balance';
export const row = (number: number, balance: number) => `${number},owner,CHK,checking,${balance}.50`;
export const file = (count: number, balance: number) =>
  `${[header, ...Array.from({ length: count }, (_, index) => row(index + 1, balance))].join('\n')}\n`;
