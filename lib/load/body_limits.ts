/** Limits of request bodies. */
export interface BodyLimits {
  /** Largest body, in bytes, inclusive. */
  readonly maxBodyBytes: number;
  /**
   * Time limit for the arrival of the whole body, in milliseconds. A body that averages
   * 64 KiB/s or more may take longer.
   */
  readonly bodyTimeoutMs: number;
}

/** The default limits: 1 MiB and 10 seconds. */
export const DEFAULT_BODY_LIMITS: BodyLimits = {
  maxBodyBytes: 1024 * 1024,
  bodyTimeoutMs: 10_000,
};
