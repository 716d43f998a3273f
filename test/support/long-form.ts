/** Whether tests run in their long form, as every night with `LONG_FORM=1`. `npm test` runs their short form. */
export const isLongForm = process.env.LONG_FORM !== undefined;

/** The number of runs of a random test: all of them in the long form, otherwise a third. */
export const runs = (all: number): number => (isLongForm ? all : Math.ceil(all / 3));
