// Runs docs/embedding-telemetry.md with the SDK in memory: node telemetry.js FOLDER, which has the page's code.
import { createServer } from "node:http";

import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createPetstore } from "petstore";
import { nodeHandler } from "petstore/node";
import { memoryStore } from "petstore/stores/memory";

const spans = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
);
const exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({
  exporter: exported,
  exportIntervalMillis: 3_600_000,
});
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

// The SDK is there before the recipe is loaded.
const { onAnswer } = await import("./node_modules/.recipe/telemetry.js");
const { traced } = await import("./node_modules/.recipe/traced.js");

const petstore = createPetstore({ store: memoryStore(), onAnswer });
const issued = await petstore.client.keys.create({ name: "website" });
const server = createServer(nodeHandler(traced(petstore), { prefix: "/shelter" }));
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}/shelter/v1`;

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const send = async (method, path, body) => {
  const response = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${issued.value.token}`,
      traceparent,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
};
const category = await send("POST", "/categories", { name: "Llamas" });
const pet = await send("POST", "/pets", { name: "Rex", categoryId: category.id });
// The second answer comes from the cache, without a promise.
for (let time = 0; time < 2; time++) await send("GET", `/pets?id=${pet.id}`);
await send("PATCH", `/pets/${pet.id}`, { name: "Max" });
await send("GET", "/nothing");
await send("PROPFIND", "/pets");
server.close();
server.closeAllConnections();
await reader.forceFlush();

console.log(
  JSON.stringify({
    spans: spans.getFinishedSpans().map((span) => ({
      name: span.name,
      traceId: span.spanContext().traceId,
      parent: span.parentSpanContext?.spanId,
      attributes: span.attributes,
    })),
    metrics: exported
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics: all }) => all)
      .map(({ descriptor, dataPoints }) => ({
        name: descriptor.name,
        unit: descriptor.unit,
        points: dataPoints.map(({ attributes, value }) => ({
          attributes,
          count: value.count,
          sum: value.sum,
        })),
      })),
  }),
);
await reader.shutdown();
