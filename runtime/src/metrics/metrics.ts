import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { Metric } from "prom-client";

export type { Counter, Gauge, Histogram } from "prom-client";

export interface MetricOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** The metrics of one process. The same name gives the same metric, so services may share one. */
export interface Metrics {
  counter<Label extends string = never>(options: MetricOptions<Label>): Counter<Label>;
  gauge<Label extends string = never>(options: MetricOptions<Label>): Gauge<Label>;
  /** `buckets` are upper bounds in the metric's unit; default is for requests, in seconds. */
  histogram<Label extends string = never>(
    options: MetricOptions<Label> & { readonly buckets?: readonly number[] },
  ): Histogram<Label>;
  /** In the Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The resolution of the event-loop lag. An idle process wakes up as often as this. */
const LAG_PRECISION_MS = 50;

class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();

  constructor(withProcess: boolean) {
    if (withProcess)
      collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #existing<Kind extends Metric>(
    name: string,
    kind: abstract new (...args: never[]) => Kind,
  ): Kind | undefined {
    const metric = this.#registry.getSingleMetric(name);
    if (metric === undefined || metric instanceof kind) return metric;
    throw new Error(`The metric ${name} is already of another kind`);
  }

  counter<Label extends string = never>({ name, help, labels = [] }: MetricOptions<Label>): Counter<Label> {
    const registers = [this.#registry];
    return this.#existing(name, Counter<Label>) ?? new Counter({ name, help, labelNames: labels, registers });
  }

  gauge<Label extends string = never>({ name, help, labels = [] }: MetricOptions<Label>): Gauge<Label> {
    const registers = [this.#registry];
    return this.#existing(name, Gauge<Label>) ?? new Gauge({ name, help, labelNames: labels, registers });
  }

  histogram<Label extends string = never>(
    options: MetricOptions<Label> & { readonly buckets?: readonly number[] },
  ): Histogram<Label> {
    const { name, help, labels = [], buckets = SECONDS } = options;
    const registers = [this.#registry];
    return (
      this.#existing(name, Histogram<Label>) ??
      new Histogram({ name, help, labelNames: labels, registers, buckets: [...buckets] })
    );
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

/** `process: false` leaves out what describes the process (memory, CPU, event-loop lag). */
export const createMetrics = (options: { readonly process?: boolean } = {}): Metrics =>
  new PrometheusMetrics(options.process ?? true);
