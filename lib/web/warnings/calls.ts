import { blockKinds } from '../../domain/content/block-types.ts';
import { isFilledText } from '../../domain/json.ts';
import { noValues } from '../../domain/placeholders.ts';
import { type Block, BlockData } from '../blocks/context.ts';

/** The URL of a call to action, with its placeholders. `undefined` if it shows nothing, because it has no text. */
export function callOfBlock({ data }: Pick<Block, 'data'>): { url: string | undefined } | undefined {
  const read = new BlockData(data, noValues, blockKinds.call.fields);
  const isNamed = ['text', 'name'].some((name) => isFilledText(read.raw(name)));
  const url = read.raw('url');
  return isNamed ? { url: isFilledText(url) ? url : undefined } : undefined;
}
