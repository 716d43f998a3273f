/** Replaces source-map-js in the bundles, as the field `browser` of postcss does: 32 KB that only source maps need. */
export {};
