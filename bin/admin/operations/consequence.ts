import type { People } from '../store/progress.ts';

/** What an import does to people who have a journey. */
export type Consequence = {
  path: string;
  template_id: string;
  page_id: string;
  /** Of what happens to the answers to a block. */
  block_id?: string;
  people: number;
  message: string;
};

export const counted = ({ people, isAtLeast }: People): string =>
  `${isAtLeast ? 'at least ' : ''}${people} ${people === 1 ? 'person' : 'people'}`;
