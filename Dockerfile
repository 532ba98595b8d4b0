# The image that `r2lmlbench cluster k8s` names:
#
#     docker build -t r2lmlbench:0.2.0 .
#
# It holds the static program and the shell of busybox (GPL-2.0, a program of its own),
# which the tasks of the manifest need.
# For methods in other languages, copy /usr/local/bin/r2lmlbench into an image that
# has the language.
ARG GO_IMAGE=golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d
ARG BASE_IMAGE=busybox:1.37.0-musl@sha256:5cec3fc171c87218698e85a52af7087de727372aae264a787b8112901a5b0092

FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ENV CGO_ENABLED=0
RUN go build -trimpath -buildvcs=false -ldflags="-s -w" -o /out/r2lmlbench . && \
    .ci/licences > /out/licences.txt && mkdir /out/volume

FROM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="r2lmlbench" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /out/r2lmlbench /usr/local/bin/r2lmlbench
COPY --from=build /src/LICENSE /src/docs/licences.md /out/licences.txt /usr/share/doc/r2lmlbench/
# The volume of the manifest; a volume that docker makes takes over its owner.
COPY --from=build --chown=65532:65532 /out/volume /r2lmlbench
ENV R2LMLBENCH_RESULTS=/r2lmlbench/results R2LMLBENCH_DATA=/r2lmlbench/data
USER 65532:65532
WORKDIR /r2lmlbench
ENTRYPOINT ["r2lmlbench"]
CMD ["--help"]
